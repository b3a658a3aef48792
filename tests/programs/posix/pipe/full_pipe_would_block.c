// A pipe holds 65536 bytes; a full one gives EAGAIN until a reader makes room.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

static char page[4096];

static int waiting(int fd) {
  int bytes = -1;
  ioctl(fd, FIONREAD, &bytes);
  return bytes;
}

int main(void) {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK))
    return 1;
  printf("capacity %d %d\n", fcntl(ends[0], F_GETPIPE_SZ), fcntl(ends[1], F_GETPIPE_SZ));
  int pages = 0;
  while (write(ends[1], page, sizeof page) == sizeof page)
    pages++;
  printf("%d pages, then %s\n", pages, errno == EAGAIN ? "EAGAIN" : "other");
  printf("%d waiting\n", waiting(ends[0]));
  ssize_t one = write(ends[1], page, 1);
  printf("one byte: %zd %s\n", one, errno == EWOULDBLOCK ? "EAGAIN" : "other");
  printf("read %zd\n", read(ends[0], page, sizeof page));
  printf("%d waiting\n", waiting(ends[0]));
  printf("write %zd\n", write(ends[1], page, sizeof page));
  printf("%d waiting\n", waiting(ends[1]));
  one = write(ends[1], page, 1);
  printf("one byte: %zd %s\n", one, errno == EAGAIN ? "EAGAIN" : "other");
  long total = 0;
  for (ssize_t got; (got = read(ends[0], page, 1000)) > 0;)
    total += got;
  printf("%ld read, then %s\n", total, errno == EAGAIN ? "EAGAIN" : "other");
  printf("%d waiting\n", waiting(ends[0]));
  return 0;
}
