/* Moves bytes between pipes and files without looking at them, and asks for the time as one did long ago. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timeb.h>
#include <unistd.h>

static void pipes(void) {
  int left[2], right[2], file = open("file", O_RDWR | O_CREAT, 0600), other = open("other", O_RDWR | O_CREAT, 0600);
  char got[16] = {0};
  off_t at = 2;
  assert(pipe(left) == 0 && pipe(right) == 0 && write(file, "abcdef", 6) == 6);
  assert(splice(file, &at, left[1], NULL, 3, 0) == 3 && at == 5);
  assert(splice(left[0], NULL, right[1], NULL, 100, 0) == 3);
  assert(splice(left[0], NULL, right[1], NULL, 100, SPLICE_F_NONBLOCK) < 0 && errno == EAGAIN);
  if (fork() == 0) {
    sleep(1);
    _exit(write(left[1], "xyz", 3) == 3 ? 0 : 1);
  }
  assert(splice(left[0], NULL, right[1], NULL, 2, 0) == 2);
  at = 4;
  assert(splice(right[0], NULL, other, &at, 4, 0) == 4 && at == 8);
  assert(read(right[0], got, sizeof got) == 1 && got[0] == 'y');
  assert(pread(other, got, sizeof got, 4) == 4 && memcmp(got, "cdex", 4) == 0);
  assert(splice(file, NULL, other, NULL, 4, 0) < 0 && errno == EINVAL);
}

static void sockets(void) {
  int unsent = 7, socket_ = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_DGRAM, 0);
  assert(sockatmark(socket_) == 0);
  assert(sockatmark(other) < 0 && errno == ENOTTY);
  assert(ioctl(socket_, FIONREAD, &unsent) < 0 || unsent == 0);
}

int main(void) {
  struct timeb before, after;
  pipes();
  sockets();
  assert(ftime(&before) == 0);
  usleep(125000);
  assert(ftime(&after) == 0);
  long passed = (after.time - before.time) * 1000 + after.millitm - before.millitm;
  assert(passed != 125); // mark: guilty
  return 0;
}
