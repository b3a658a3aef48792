//@ native: yes
// read and write move one offset, stop at the end of the file, and refuse the wrong kind of descriptor.
#include "../check.h"

int main(void) {
  char text[16] = "";
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR));
  SHOW(read(fd, text, 4));
  bytes("text", text, 4);
  SHOW(write(fd, "ab", 2));
  SHOW(read(fd, text, 16));
  bytes("text", text, 4);
  SHOW(read(fd, text, 16));
  SHOW(write(fd, "end", 3));
  SHOW(read(fd, text, 16));
  cat("file");
  SHOW(read(fd, text, 0));
  SHOW(write(fd, text, 0));
  SHOW(lseek(fd, 0, SEEK_SET));
  SHOW(read(fd, unmapped, 4));
  SHOW(write(fd, unmapped, 4));
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW(close(fd));
  SHOW(read(fd, text, 1));
  SHOW(write(fd, text, 1));
  SHOW(read(-1, text, 1));
  SHOW(write(9999, text, 1));
  int in = OK(open("file", O_RDONLY)), out = OK(open("file", O_WRONLY));
  SHOW(write(in, "x", 1));
  SHOW(write(in, "x", 0));
  SHOW(read(out, text, 1));
  SHOW(read(out, text, 0));
  int dir = OK(open(".", O_RDONLY));
  SHOW(read(dir, text, 1));
  SHOW(write(dir, text, 1));
  close(dir);
  cat("file");
  return close(in) | close(out);
}
