//@ native: yes
// SEEK_DATA and SEEK_HOLE agree with the ends of the file, whatever the file system knows of its holes.
#include "../check.h"

int main(void) {
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR));
  SHOW(lseek(fd, 0, SEEK_DATA));
  SHOW(lseek(fd, 4, SEEK_DATA));
  SHOW(lseek(fd, 0, SEEK_HOLE));
  SHOW(lseek(fd, 9, SEEK_HOLE));
  SHOW(lseek(fd, 10, SEEK_HOLE));
  SHOW(lseek(fd, 10, SEEK_DATA));
  SHOW(lseek(fd, 500, SEEK_DATA));
  SHOW(lseek(fd, -1, SEEK_DATA));
  SHOW(lseek(fd, -1, SEEK_HOLE));
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW(ftruncate(fd, 0));
  SHOW(lseek(fd, 0, SEEK_HOLE));
  SHOW(lseek(fd, 0, SEEK_DATA));
  return close(fd);
}
