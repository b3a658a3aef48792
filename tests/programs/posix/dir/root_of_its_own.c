//@ native: yes
// chroot needs privilege; a user without it gets EPERM, whatever else is wrong comes first.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  need(mkdir("dir", 0755) == 0, "mkdir");
  put("file", "x");
  SHOW(chroot("dir"));
  SHOW(chroot("none"));
  SHOW(chroot("file"));
  SHOW(chroot(unmapped));
  return 0;
}
