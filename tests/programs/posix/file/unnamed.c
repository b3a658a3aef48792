//@ native: yes
// O_TMPFILE gives a file without a name, which linkat through /proc/self/fd can name later.
#include "../check.h"

int main(void) {
  struct stat st;
  char path[64];
  int fd = OK(open(".", O_RDWR | O_TMPFILE, 0600));
  SHOW(write(fd, "content", 7));
  SHOW(fstat(fd, &st));
  NUM(st.st_nlink);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  SHOW(linkat(AT_FDCWD, path, AT_FDCWD, "named", AT_SYMLINK_FOLLOW));
  cat("named");
  SHOW(fstat(fd, &st));
  NUM(st.st_nlink);
  int exclusive = OK(open(".", O_RDWR | O_TMPFILE | O_EXCL, 0600));
  snprintf(path, sizeof path, "/proc/self/fd/%d", exclusive);
  SHOW(linkat(AT_FDCWD, path, AT_FDCWD, "second", AT_SYMLINK_FOLLOW));
  OK(open(".", O_RDONLY | O_TMPFILE, 0600));
  OK(open("none", O_RDWR | O_TMPFILE, 0600));
  OK(open("named", O_RDWR | O_TMPFILE, 0600));
  return close(fd) | close(exclusive);
}
