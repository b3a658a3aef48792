//@ native: yes
// A file without a name lives as long as a descriptor of it; its name can be taken by another.
#include "../check.h"

int main(void) {
  struct stat old, new;
  put("file", "old content");
  int fd = OK(open("file", O_RDWR));
  SHOW(unlink("file"));
  SHOW(access("file", F_OK));
  SHOW(fstat(fd, &old));
  NUM(old.st_nlink);
  put("file", "new");
  SHOW(stat("file", &new));
  IS(old.st_ino == new.st_ino);
  char text[16] = "";
  SHOW(read(fd, text, 15));
  puts(text);
  SHOW(write(fd, "!", 1));
  SHOW(ftruncate(fd, 3));
  SHOW(pread(fd, text, 15, 0));
  SHOW(fchmod(fd, 0400));
  cat("file");
  return close(fd);
}
