//@ native: yes
// chmod, fchmod and fchmodat set the twelve bits; only the owner may.
#include "../check.h"

static unsigned mode(const char *path) {
  struct stat st;
  return lstat(path, &st) ? 0 : st.st_mode;
}

int main(void) {
  be_ordinary_user();
  put("file", "x");
  need(mkdir("dir", 0755) == 0 && symlink("file", "link") == 0, "preparation");
  SHOW(chmod("file", 0751));
  printf("%o\n", mode("file"));
  SHOW(chmod("file", 07777));
  printf("%o\n", mode("file"));
  SHOW(chmod("file", 0100644));
  printf("%o\n", mode("file"));
  SHOW(chmod("link", 0600));
  printf("%o %o\n", mode("file"), mode("link"));
  SHOW(chmod("dir", 01777));
  printf("%o\n", mode("dir"));
  int fd = OK(open("file", O_RDONLY)), dir = OK(open("dir", O_RDONLY));
  SHOW(fchmod(fd, 0));
  printf("%o\n", mode("file"));
  SHOW(fchmodat(dir, "../file", 0640, 0));
  printf("%o\n", mode("file"));
  SHOW(chmod("none", 0));
  SHOW(chmod("", 0));
  SHOW(chmod("file/x", 0));
  SHOW(chmod(unmapped, 0));
  SHOW(chmod("/", 0755));
  SHOW(chmod("/dev/null", 0666));
  SHOW(fchmod(minus_one, 0));
  SHOW(fchmodat(minus_one, "file", 0, 0));
  SHOW(fchmodat(fd, "file", 0, 0));
  return close(fd) | close(dir);
}
