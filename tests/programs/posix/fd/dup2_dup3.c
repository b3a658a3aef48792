//@ native: yes
// dup2 and dup3 choose the number, closing what had it; they differ when both numbers are the same.
#include "../check.h"
#include <sys/syscall.h>

int main(void) {
  put("file", "0123456789");
  int a = OK(open("file", O_RDONLY)), b = OK(open("file", O_RDONLY));
  SHOW(lseek(a, 4, SEEK_SET));
  SHOW(dup2(a, b) == b);
  SHOW(lseek(b, 0, SEEK_CUR));
  SHOW(dup2(a, 50));
  SHOW(lseek(50, 0, SEEK_CUR));
  SHOW(dup2(a, a) == a);
  SHOW(dup3(a, a, 0));
  SHOW(dup3(a, 51, O_CLOEXEC));
  SHOW(fcntl(51, F_GETFD));
  SHOW(dup2(51, 52));
  SHOW(fcntl(52, F_GETFD));
  SHOW(syscall(SYS_dup3, a, 52, O_APPEND));
  SHOW(dup2(a, minus_one));
  SHOW(dup2(a, 1 << 30));
  SHOW(dup2(minus_one, b));
  SHOW(dup2(200, 200));
  SHOW(dup3(200, 53, 0));
  SHOW(dup3(200, 200, 0));
  // A failed dup2 does not close its target.
  SHOW(lseek(b, 0, SEEK_CUR));
  close(50), close(51), close(52);
  return close(a) | close(b);
}
