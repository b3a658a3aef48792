//@ native: yes
// FIONREAD counts what is left to read; terminal requests fail on what is no terminal.
#include "../check.h"
#include <sys/ioctl.h>
#include <termios.h>

int main(void) {
  int left = -1;
  struct winsize size;
  struct termios mode;
  put("file", "0123456789");
  int fd = OK(open("file", O_RDONLY));
  SHOW(lseek(fd, 3, SEEK_SET));
  SHOW(ioctl(fd, FIONREAD, &left));
  NUM(left);
  int pair[2];
  SHOW(pipe(pair));
  SHOW(write(pair[1], "abc", 3));
  SHOW(ioctl(pair[0], FIONREAD, &left));
  NUM(left);
  SHOW(ioctl(fd, TIOCGWINSZ, &size));
  SHOW(ioctl(1, TIOCGWINSZ, &size));
  SHOW(ioctl(pair[0], TIOCGWINSZ, &size));
  SHOW(ioctl(-1, TIOCGWINSZ, &size));
  SHOW(tcgetattr(fd, &mode));
  SHOW(isatty(fd)), printf("%s\n", errno_name(errno));
  SHOW(isatty(1)), printf("%s\n", errno_name(errno));
  SHOW(isatty(-1)), printf("%s\n", errno_name(errno));
  int on = 1;
  SHOW(ioctl(pair[0], FIONBIO, &on));
  SHOW(fcntl(pair[0], F_GETFL) & O_NONBLOCK ? 1 : 0);
  char text[8];
  SHOW(read(pair[0], text, 8));
  SHOW(read(pair[0], text, 8));
  SHOW(ioctl(fd, FIOCLEX));
  SHOW(fcntl(fd, F_GETFD));
  SHOW(ioctl(fd, FIONCLEX));
  SHOW(fcntl(fd, F_GETFD));
  return close(fd) | close(pair[0]) | close(pair[1]);
}
