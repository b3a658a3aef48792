//@ native: yes
// F_GETFD and F_GETFL tell what open was asked; F_SETFL changes only what may change.
#include "../check.h"

static void status(const char *name, int fd) {
  int f = fcntl(fd, F_GETFL);
  printf("%s: access %d append %d nonblock %d creat %d trunc %d directory %d\n", name, f & O_ACCMODE,
         !!(f & O_APPEND), !!(f & O_NONBLOCK), !!(f & O_CREAT), !!(f & O_TRUNC), !!(f & O_DIRECTORY));
}

int main(void) {
  int a = OK(open("file", O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
  int b = OK(open("file", O_WRONLY | O_NONBLOCK));
  int c = OK(open(".", O_RDONLY | O_DIRECTORY));
  status("a", a), status("b", b), status("c", c);
  SHOW(fcntl(a, F_GETFD));
  SHOW(fcntl(b, F_GETFD));
  SHOW(fcntl(a, F_SETFD, 0));
  SHOW(fcntl(a, F_GETFD));
  SHOW(fcntl(a, F_SETFD, FD_CLOEXEC));
  SHOW(fcntl(a, F_GETFD));
  SHOW(fcntl(a, F_SETFL, O_NONBLOCK));
  SHOW(fcntl(b, F_SETFL, O_RDWR | O_APPEND | O_TRUNC));
  status("a", a), status("b", b);
  char byte;
  SHOW(read(b, &byte, 1));
  SHOW(fcntl(minus_one, F_GETFD));
  SHOW(fcntl(minus_one, F_SETFD, 0));
  SHOW(fcntl(minus_one, F_GETFL));
  SHOW(fcntl(minus_one, F_SETFL, 0));
  SHOW(fcntl(a, 9999, 0));
  SHOW(fcntl(minus_one, 9999, 0));
  return close(a) | close(b) | close(c);
}
