//@ native: yes
// F_DUPFD gives the lowest free number that is not below its argument.
#include "../check.h"

int main(void) {
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  SHOW(fcntl(fd, F_DUPFD, 60));
  SHOW(fcntl(fd, F_DUPFD, 60));
  SHOW(fcntl(fd, F_DUPFD_CLOEXEC, 60));
  SHOW(fcntl(60, F_GETFD));
  SHOW(fcntl(62, F_GETFD));
  SHOW(close(61));
  SHOW(fcntl(fd, F_DUPFD, 60));
  SHOW(fcntl(fd, F_DUPFD, -1));
  SHOW(fcntl(fd, F_DUPFD, 1 << 30));
  SHOW(fcntl(-1, F_DUPFD, 0));
  SHOW(fcntl(-1, F_DUPFD_CLOEXEC, 0));
  close(60), close(61), close(62);
  return close(fd);
}
