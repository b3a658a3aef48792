//@ native: yes
// Repeated slashes, dots and a final slash mean what they mean; below a file nothing is.
#include "../check.h"

int main(void) {
  struct stat st, other;
  need(mkdir("dir", 0755) == 0, "mkdir");
  put("dir/file", "x");
  SHOW(access("dir//file", F_OK));
  SHOW(access(".//dir/./file", F_OK));
  SHOW(access("dir/../dir/file", F_OK));
  SHOW(access("dir/", F_OK));
  SHOW(access("dir/file/", F_OK));
  SHOW(access("dir/file/.", F_OK));
  SHOW(access("dir/file/..", F_OK));
  SHOW(access("none/../dir", F_OK));
  SHOW(access("/../../..", F_OK));
  SHOW(access("", F_OK));
  SHOW(stat("/..", &st));
  SHOW(stat("/", &other));
  IS(st.st_ino == other.st_ino && st.st_dev == other.st_dev);
  SHOW(stat("//dev///null", &st));
  SHOW(stat("dir/..", &st));
  SHOW(stat(".", &other));
  IS(st.st_ino == other.st_ino);
  SHOW(access("...", F_OK));
  put("...", "three dots");
  cat("./...");
  put("a name with spaces\n and \\ bytes \xff", "odd");
  SHOW(access("a name with spaces\n and \\ bytes \xff", F_OK));
  return 0;
}
