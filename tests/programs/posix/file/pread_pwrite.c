//@ native: yes
// pread and pwrite leave the offset alone, and need a descriptor that has one.
#include "../check.h"

int main(void) {
  char text[16] = "";
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR));
  SHOW(pread(fd, text, 3, 4));
  bytes("text", text, 3);
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW(pread(fd, text, 16, 8));
  SHOW(pread(fd, text, 16, 10));
  SHOW(pread(fd, text, 16, 1000000));
  SHOW(pwrite(fd, "AB", 2, 9));
  SHOW(pwrite(fd, "Z", 1, 14));
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW(lseek(fd, 0, SEEK_END));
  cat("file");
  SHOW(pread(fd, text, 1, -1));
  SHOW(pwrite(fd, text, 1, -1));
  SHOW(pread(-1, text, 1, 0));
  SHOW(pread(fd, unmapped, 1, 0));
  int pair[2];
  SHOW(pipe(pair));
  SHOW(pread(pair[0], text, 1, 0));
  SHOW(pwrite(pair[1], text, 1, 0));
  int in = OK(open("file", O_RDONLY)), out = OK(open("file", O_WRONLY));
  SHOW(pwrite(in, text, 1, 0));
  SHOW(pread(out, text, 1, 0));
  close(pair[0]), close(pair[1]);
  return close(fd) | close(in) | close(out);
}
