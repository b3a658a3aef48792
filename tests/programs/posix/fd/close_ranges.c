//@ native: yes
// close_range closes or marks every number of a range, open or not.
#include "../check.h"
#include <sys/syscall.h>

int main(void) {
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  for (int i = 50; i < 60; i++)
    need(dup2(fd, i) == i, "dup2");
  SHOW(syscall(SYS_close_range, 52, 55, 0));
  for (int i = 50; i < 60; i++)
    printf("%d %s\n", i, fcntl(i, F_GETFD) < 0 ? errno_name(errno) : "open");
  SHOW(syscall(SYS_close_range, 56, ~0U, 4));
  SHOW(fcntl(56, F_GETFD));
  SHOW(fcntl(50, F_GETFD));
  SHOW(syscall(SYS_close_range, 50, ~0U, 0));
  SHOW(fcntl(59, F_GETFD));
  SHOW(syscall(SYS_close_range, 60, 50, 0));
  SHOW(syscall(SYS_close_range, 50, 60, 1 << 20));
  SHOW(fcntl(fd, F_GETFD));
  return close(fd);
}
