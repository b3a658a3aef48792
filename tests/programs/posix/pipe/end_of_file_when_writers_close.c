// A pipe ends only when its last writer closes; until then an empty one would block.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void take(int fd, size_t room) {
  char data[16] = {0};
  errno = 0;
  ssize_t got = read(fd, data, room);
  printf("%zd [%.*s]%s\n", got, got > 0 ? (int)got : 0, data, errno == EAGAIN ? " EAGAIN" : "");
}

int main(void) {
  int ends[2];
  printf("%d\n", pipe(ends));
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  int second = dup(ends[1]);
  printf("%zd\n", write(ends[1], "hello, world", 12));
  take(ends[0], 5);
  take(ends[0], 0);
  take(ends[0], 16);
  take(ends[0], 16);
  close(ends[1]);
  take(ends[0], 16);
  printf("%zd %zd\n", write(second, "x", 1), write(second, "", 0));
  close(second);
  take(ends[0], 16);
  take(ends[0], 16);
  take(ends[0], 16);
  return 0;
}
