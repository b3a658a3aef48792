//@ native: yes
// unlink removes a name that is no directory; unlinkat with AT_REMOVEDIR is rmdir.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  need(mkdir("dir", 0755) == 0 && mkdir("locked", 0755) == 0 && mkdir("full", 0755) == 0, "mkdir");
  put("file", "x");
  put("locked/file", "x");
  put("full/file", "x");
  need(symlink("file", "link") == 0 && chmod("locked", 0500) == 0, "preparation");
  SHOW(unlink("none"));
  SHOW(unlink(""));
  SHOW(unlink("dir"));
  SHOW(unlink("."));
  SHOW(unlink("file/x"));
  SHOW(unlink("file/"));
  SHOW(unlink("locked/file"));
  SHOW(unlink(unmapped));
  SHOW(unlink("link"));
  cat("file");
  // The file's own permissions do not matter.
  SHOW(chmod("file", 0));
  SHOW(unlink("file"));
  SHOW(unlink("file"));
  int dir = OK(open("full", O_RDONLY));
  SHOW(unlinkat(dir, "none", 0));
  SHOW(unlinkat(dir, "file", AT_REMOVEDIR));
  SHOW(unlinkat(AT_FDCWD, "full", AT_REMOVEDIR));
  SHOW(unlinkat(AT_FDCWD, "dir", 0));
  SHOW(unlinkat(dir, "file", 0));
  SHOW(unlinkat(AT_FDCWD, "full", AT_REMOVEDIR));
  SHOW(unlinkat(AT_FDCWD, "dir", 99));
  SHOW(unlinkat(minus_one, "dir", AT_REMOVEDIR));
  SHOW(unlinkat(dir, "x", 0));
  need(chmod("locked", 0700) == 0, "chmod");
  return close(dir);
}
