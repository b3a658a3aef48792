//@ native: yes
// access and faccessat ask for existence or for each permission; each error.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  put("file", "x");
  need(chmod("file", 0500) == 0 && mkdir("locked", 0700) == 0 && mkdir("dir", 0700) == 0, "preparation");
  put("locked/file", "x");
  need(chmod("locked", 0) == 0 && symlink("none", "dangling") == 0 && symlink("loop", "loop") == 0,
       "preparation");
  SHOW(access("file", F_OK));
  SHOW(access("file", R_OK));
  SHOW(access("file", W_OK));
  SHOW(access("file", X_OK));
  SHOW(access("file", R_OK | X_OK));
  SHOW(access("file", R_OK | W_OK | X_OK));
  SHOW(access("file", 8));
  SHOW(access("none", F_OK));
  SHOW(access("file/x", F_OK));
  SHOW(access("locked/file", F_OK));
  SHOW(access("locked", R_OK));
  SHOW(access("locked", F_OK));
  SHOW(access("dangling", F_OK));
  SHOW(access("loop", F_OK));
  SHOW(access(unmapped, F_OK));
  int dir = OK(open("dir", O_RDONLY)), file = OK(open("file", O_RDONLY));
  SHOW(faccessat(dir, "../file", R_OK, 0));
  SHOW(faccessat(dir, "../file", W_OK, 0));
  SHOW(faccessat(dir, "none", F_OK, 0));
  SHOW(faccessat(AT_FDCWD, "file", W_OK, AT_EACCESS));
  SHOW(faccessat(file, "x", F_OK, 0));
  SHOW(faccessat(minus_one, "file", F_OK, 0));
  SHOW(faccessat(AT_FDCWD, "file", F_OK, 1 << 30));
  SHOW(eaccess("file", X_OK));
  need(chmod("locked", 0700) == 0, "chmod");
  return close(dir) | close(file);
}
