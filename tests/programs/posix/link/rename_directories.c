//@ native: yes
// A directory replaces only an empty directory, and never goes below itself.
#include "../check.h"

static long links(const char *path) {
  struct stat st;
  return stat(path, &st) ? -1 : (long)st.st_nlink;
}

int main(void) {
  need(mkdir("a", 0755) == 0 && mkdir("a/sub", 0755) == 0 && mkdir("b", 0755) == 0, "mkdir");
  put("a/sub/file", "deep");
  put("file", "x");
  SHOW(rename("a", "a/sub/below"));
  SHOW(rename("a", "a/below"));
  SHOW(rename("a/sub", "a"));
  SHOW(rename("b", "a"));
  SHOW(rename("a", "file"));
  SHOW(rename("file", "a"));
  NUM(links("a") - links("b"));
  SHOW(rename("a/sub", "b/sub"));
  NUM(links("a") - links("b"));
  cat("b/sub/file");
  SHOW(rename("b", "a"));
  cat("a/sub/file");
  SHOW(access("b", F_OK));
  SHOW(rename("a", "new/"));
  SHOW(rename("new/", "again"));
  SHOW(rename("again/.", "x"));
  SHOW(rename("again/sub/..", "x"));
  SHOW(rename("file", "again/."));
  SHOW(rename("again", "again"));
  // The parent of a moved directory is the new one.
  SHOW(mkdir("parent", 0755));
  SHOW(rename("again/sub", "parent/sub"));
  SHOW(chdir("parent/sub"));
  SHOW(access("../../file", F_OK));
  SHOW(access("../sub/file", F_OK));
  SHOW(rename("../sub", "../other"));
  cat("../other/file");
  return 0;
}
