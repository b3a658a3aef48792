//@ native: yes
// truncate and ftruncate cut and lengthen, keep the offset, and give each of their errors.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  put("file", "0123456789");
  SHOW(truncate("file", 4));
  cat("file");
  SHOW(truncate("file", 6));
  cat("file");
  SHOW(truncate("file", -1));
  SHOW(truncate("none", 0));
  SHOW(truncate("", 0));
  SHOW(truncate("file/below", 0));
  SHOW(truncate(".", 0));
  need(symlink("file", "link") == 0 && symlink("loop", "loop") == 0, "symlink");
  SHOW(truncate("link", 3));
  cat("file");
  SHOW(truncate("loop", 3));
  SHOW(truncate(unmapped, 3));
  SHOW(chmod("file", 0400));
  SHOW(truncate("file", 0));
  SHOW(chmod("file", 0600));
  int fd = OK(open("file", O_RDWR));
  SHOW(lseek(fd, 2, SEEK_SET));
  SHOW(ftruncate(fd, 0));
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW(write(fd, "x", 1));
  cat("file");
  SHOW(ftruncate(fd, -5));
  SHOW(close(fd));
  SHOW(ftruncate(fd, 0));
  fd = OK(open("file", O_RDONLY));
  SHOW(ftruncate(fd, 0));
  close(fd);
  int pair[2];
  SHOW(pipe(pair));
  SHOW(ftruncate(pair[1], 0));
  close(pair[0]), close(pair[1]);
  fd = OK(open("/dev/null", O_RDWR));
  SHOW(ftruncate(fd, 0));
  return close(fd);
}
