//@ native: yes
// The owner's bits alone count for the owner, even if the others would allow more.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  put("file", "x");
  for (int mode = 0; mode <= 0777; mode += 0111) {
    need(chmod("file", (mode_t)mode) == 0, "chmod");
    printf("%03o: %d%d%d\n", mode, access("file", R_OK), access("file", W_OK), access("file", X_OK));
  }
  need(chmod("file", 0077) == 0, "chmod");
  OK(open("file", O_RDONLY));
  SHOW(access("file", F_OK));
  need(chmod("file", 0477) == 0, "chmod");
  SHOW(access("file", R_OK));
  SHOW(access("file", R_OK | W_OK));
  SHOW(access("/etc/passwd", R_OK));
  SHOW(access("/etc/passwd", W_OK));
  OK(open("/etc/passwd", O_WRONLY));
  SHOW(access("/", W_OK));
  OK(open("/new", O_WRONLY | O_CREAT, 0600));
  SHOW(mkdir("/new", 0700));
  return 0;
}
