//@ native: yes
// renameat2 can refuse to replace, and can exchange two names.
#include "../check.h"
#include <sys/syscall.h>

enum { NOREPLACE = 1, EXCHANGE = 2, WHITEOUT = 4 };

static int move(int fd, const char *from, int fd2, const char *to, unsigned flags) {
  return (int)syscall(SYS_renameat2, fd, from, fd2, to, flags);
}

int main(void) {
  put("a", "A");
  put("b", "B");
  need(mkdir("dir", 0755) == 0, "mkdir");
  SHOW(move(AT_FDCWD, "a", AT_FDCWD, "b", NOREPLACE));
  SHOW(move(AT_FDCWD, "a", AT_FDCWD, "c", NOREPLACE));
  cat("c");
  SHOW(move(AT_FDCWD, "b", AT_FDCWD, "c", EXCHANGE));
  cat("b");
  cat("c");
  SHOW(move(AT_FDCWD, "b", AT_FDCWD, "dir", EXCHANGE));
  cat("dir");
  put("b/inside", "in");
  SHOW(move(AT_FDCWD, "b", AT_FDCWD, "none", EXCHANGE));
  SHOW(move(AT_FDCWD, "b", AT_FDCWD, "c", NOREPLACE | EXCHANGE));
  SHOW(move(AT_FDCWD, "b", AT_FDCWD, "c", 1 << 10));
  SHOW(move(AT_FDCWD, "b", AT_FDCWD, "b/inside", EXCHANGE));
  int dir = OK(open("b", O_RDONLY));
  SHOW(move(dir, "inside", AT_FDCWD, "outside", 0));
  SHOW(renameat(AT_FDCWD, "outside", dir, "inside"));
  SHOW(renameat(dir, "none", AT_FDCWD, "outside"));
  SHOW(renameat(minus_one, "inside", AT_FDCWD, "outside"));
  SHOW(renameat(dir, "inside", minus_one, "outside"));
  cat("b/inside");
  return close(dir);
}
