//@ native: yes
// rmdir removes an empty directory by its name; each of its errors.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  need(mkdir("dir", 0755) == 0 && mkdir("dir/sub", 0755) == 0 && mkdir("locked", 0755) == 0, "mkdir");
  need(mkdir("locked/sub", 0755) == 0 && chmod("locked", 0500) == 0 && symlink("dir", "link") == 0,
       "preparation");
  put("file", "x");
  SHOW(rmdir("dir"));
  SHOW(rmdir("dir/sub"));
  SHOW(rmdir("dir/."));
  SHOW(rmdir("locked/sub/.."));
  SHOW(rmdir("link"));
  SHOW(rmdir("file"));
  SHOW(rmdir("none"));
  SHOW(rmdir(""));
  SHOW(rmdir("file/x"));
  SHOW(rmdir("locked/sub"));
  SHOW(rmdir(unmapped));
  SHOW(chdir("dir"));
  SHOW(rmdir("../dir"));
  // The working directory is gone now, and nothing can be made in it.
  OK(open("file", O_WRONLY | O_CREAT, 0600));
  SHOW(mkdir("x", 0755));
  SHOW(access("..", F_OK));
  SHOW(access(".", F_OK));
  char path[64];
  PTR(getcwd(path, sizeof path));
  return 0;
}
