//@ native: yes
// rename replaces its target at once; two names of one file stay both.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  put("a", "A");
  put("b", "B");
  int old = OK(open("b", O_RDONLY));
  SHOW(rename("a", "b"));
  cat("a");
  cat("b");
  char byte;
  SHOW(read(old, &byte, 1));
  printf("%c\n", byte);
  SHOW(rename("b", "b"));
  SHOW(link("b", "c"));
  SHOW(rename("b", "c"));
  cat("b");
  cat("c");
  SHOW(rename("none", "d"));
  SHOW(rename("b", "none/d"));
  SHOW(rename("b", "c/d"));
  SHOW(rename("c/d", "d"));
  SHOW(rename("", "d"));
  SHOW(rename("b", ""));
  SHOW(rename("b", "d/"));
  SHOW(rename("b/", "d"));
  need(mkdir("dir", 0755) == 0 && mkdir("locked", 0500) == 0, "mkdir");
  SHOW(rename("b", "dir"));
  SHOW(rename("b", "dir/b"));
  SHOW(rename("dir/b", "locked/b"));
  SHOW(rename("dir/b", unmapped));
  cat("dir/b");
  // A link is renamed itself.
  need(symlink("dir/b", "link") == 0, "symlink");
  SHOW(rename("link", "moved"));
  cat("moved");
  SHOW(rename("dir/b", "moved"));
  cat("moved");
  struct stat st;
  SHOW(lstat("moved", &st));
  IS(S_ISREG(st.st_mode));
  return close(old);
}
