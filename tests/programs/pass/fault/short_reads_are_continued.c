// A file, a pipe and a socket of five bytes each. One read of the three is short, in two ways, or none is;
// what is left is read by the next one, which is not short any more.
//@ args: --short-reads 1
//@ paths: 7
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void read_all(int fd) {
  char text[6] = "";
  size_t done = 0;
  while (done < 5) {
    ssize_t more = read(fd, text + done, 5 - done);
    assert(more > 0);
    done += more;
  }
  assert(strcmp(text, "hello") == 0);
}

int main(void) {
  int file = open("file", O_RDWR | O_CREAT, 0600), ends[2], pair[2];
  assert(write(file, "hello", 5) == 5 && lseek(file, 0, SEEK_SET) == 0);
  read_all(file);
  assert(pipe(ends) == 0 && write(ends[1], "hello", 5) == 5);
  read_all(ends[0]);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && write(pair[0], "hello", 5) == 5);
  read_all(pair[1]);
  return 0;
}
