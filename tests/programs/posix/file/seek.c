//@ native: yes
// lseek counts from the start, the offset or the end, goes past the end, and never below zero.
#include "../check.h"

int main(void) {
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR));
  SHOW(lseek(fd, 3, SEEK_SET));
  SHOW(lseek(fd, 4, SEEK_CUR));
  SHOW(lseek(fd, -2, SEEK_CUR));
  SHOW(lseek(fd, -1, SEEK_END));
  SHOW(lseek(fd, 5, SEEK_END));
  char byte = 'x';
  SHOW(read(fd, &byte, 1));
  SHOW(lseek(fd, -1, SEEK_SET));
  SHOW(lseek(fd, -100, SEEK_CUR));
  SHOW(lseek(fd, -11, SEEK_END));
  SHOW(lseek(fd, 0, 99));
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW(lseek(-1, 0, SEEK_SET));
  SHOW(write(fd, "!", 1));
  cat("file");
  SHOW(lseek(fd, 1L << 40, SEEK_SET));
  SHOW(lseek(fd, 0x7fffffffffffffffL, SEEK_CUR));
  SHOW(lseek(fd, 0, SEEK_CUR));
  int pair[2];
  SHOW(pipe(pair));
  SHOW(lseek(pair[0], 0, SEEK_SET));
  SHOW(lseek(pair[1], 0, SEEK_CUR));
  SHOW(lseek(0, 0, 99) == -1 ? 1 : 0);
  int null = OK(open("/dev/null", O_RDWR));
  SHOW(lseek(null, 100, SEEK_SET));
  close(null);
  close(pair[0]), close(pair[1]);
  return close(fd);
}
