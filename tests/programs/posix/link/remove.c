//@ native: yes
// remove takes files and empty directories.
#include "../check.h"

int main(void) {
  put("file", "x");
  need(mkdir("dir", 0755) == 0 && mkdir("full", 0755) == 0, "mkdir");
  put("full/file", "x");
  SHOW(remove("file"));
  SHOW(remove("dir"));
  SHOW(remove("full"));
  SHOW(remove("none"));
  SHOW(access("full/file", F_OK));
  return 0;
}
