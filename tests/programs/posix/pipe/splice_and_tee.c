// tee copies between pipes without taking; splice moves from a file to a pipe, to a pipe, to a file.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const char *name(int error) {
  return error == EINVAL ? "EINVAL" : error == EAGAIN ? "EAGAIN" : error == EBADF ? "EBADF" : "other";
}

static void say(const char *what, ssize_t result) {
  printf("%s: %zd %s\n", what, result, result < 0 ? name(errno) : "");
}

int main(void) {
  int a[2], b[2];
  char data[32];
  if (pipe(a) || pipe(b))
    return 1;
  int file = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, "0123456789", 10) != 10)
    return 1;
  off_t at = 3;
  say("file to pipe", splice(file, &at, a[1], 0, 4, 0));
  printf("offset %ld\n", (long)at);
  say("tee", tee(a[0], b[1], 100, 0));
  say("pipe to pipe", splice(a[0], 0, b[1], 0, 2, 0));
  say("read both", read(b[0], data, sizeof data));
  printf("%.6s\n", data);
  at = 20;
  say("pipe to file", splice(a[0], 0, file, &at, 100, 0));
  printf("offset %ld end %ld\n", (long)at, (long)lseek(file, 0, SEEK_END));
  printf("%zd", pread(file, data, 2, 20));
  printf(" %.2s\n", data);
  say("empty", splice(a[0], 0, file, 0, 1, SPLICE_F_NONBLOCK));
  say("no pipe", splice(file, 0, file, 0, 1, 0));
  say("tee of a file", tee(file, b[1], 1, 0));
  say("wrong end", splice(a[1], 0, file, 0, 1, 0));
  close(a[1]);
  say("end", splice(a[0], 0, file, 0, 1, 0));
  unlink("data");
  return 0;
}
