//@ native: yes
// In a directory of somebody with the sticky bit, only one's own files can be removed: /tmp.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  struct stat st;
  SHOW(stat("/tmp", &st));
  printf("%o\n", (unsigned)st.st_mode);
  char path[] = "/tmp/stickyXXXXXX", moved[32];
  int fd = OK(mkstemp(path));
  snprintf(moved, sizeof moved, "%s.moved", path);
  SHOW(rename(path, moved));
  SHOW(unlink(moved));
  SHOW(rmdir("/tmp"));
  return close(fd);
}
