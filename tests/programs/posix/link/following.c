//@ native: yes
// Links are followed inside a path always, at its end as the call says; at most 40 of them.
#include "../check.h"

int main(void) {
  char name[16], target[16];
  struct stat st;
  need(mkdir("dir", 0755) == 0 && mkdir("dir/sub", 0755) == 0, "mkdir");
  put("dir/file", "below");
  put("file", "top");
  SHOW(symlink("dir", "a"));
  SHOW(symlink("a/sub", "b"));
  SHOW(symlink("../../file", "dir/sub/up"));
  SHOW(symlink("../file", "dir/up"));
  cat("a/file");
  cat("b/../file");
  cat("b/up");
  cat("a/up");
  SHOW(lstat("a", &st));
  IS(S_ISLNK(st.st_mode));
  SHOW(lstat("a/", &st));
  IS(S_ISDIR(st.st_mode));
  SHOW(symlink("y", "x"));
  SHOW(symlink("x", "y"));
  SHOW(stat("x", &st));
  SHOW(lstat("x", &st));
  SHOW(lstat("x/file", &st));
  SHOW(unlink("x"));
  put("c0", "reached");
  for (int i = 1; i <= 41; i++) {
    snprintf(name, sizeof name, "c%d", i);
    snprintf(target, sizeof target, "c%d", i - 1);
    need(symlink(target, name) == 0, "symlink");
  }
  cat("c40");
  cat("c41");
  return 0;
}
