// A pair of a master and a slave: names, settings, lines, echo, end of file, hang-ups.
#include "keys.h"
#include <sys/ioctl.h>

int main(void) {
  master = posix_openpt(O_RDWR | O_NOCTTY);
  IS(master >= 0);
  char name[64];
  SHOW(ptsname_r(master, name, sizeof name));
  IS(strncmp(name, "/dev/pts/", 9) == 0);
  OK(open(name, O_RDWR | O_NOCTTY));
  SHOW(grantpt(master));
  SHOW(unlockpt(master));
  slave = open(name, O_RDWR | O_NOCTTY);
  IS(slave >= 0 && isatty(slave) && isatty(master));
  char again[64];
  SHOW(ttyname_r(slave, again, sizeof again));
  IS(strcmp(again, name) == 0);
  struct stat about;
  SHOW(fstat(slave, &about));
  IS(S_ISCHR(about.st_mode));
  int pipes[2];
  need(pipe(pipes) == 0, "pipe");
  SHOW(isatty(pipes[0]));
  IS(errno == ENOTTY);

  struct winsize size = {.ws_row = 25, .ws_col = 80}, seen;
  SHOW(ioctl(master, TIOCSWINSZ, &size));
  SHOW(ioctl(slave, TIOCGWINSZ, &seen));
  printf("%d x %d\n", seen.ws_row, seen.ws_col);
  struct termios settings;
  SHOW(tcgetattr(slave, &settings));
  IS((settings.c_lflag & (ICANON | ECHO | ISIG)) == (ICANON | ECHO | ISIG));
  IS((settings.c_iflag & ICRNL) != 0 && (settings.c_oflag & (OPOST | ONLCR)) == (OPOST | ONLCR));
  NUM(settings.c_cc[VINTR]);
  NUM(settings.c_cc[VERASE]);

  typed("half a line");
  got();
  shown();
  typed("\x7f\x7f" "fe\r");
  shown();
  got();
  typed("one\ntwo\n");
  got();
  got();
  got();
  shown();
  typed("no newline\x04");
  got();
  typed("\x04");
  got();
  typed("forget\x15this\n");
  got();
  shown();
  SHOW(write(slave, "to the\nscreen\t\a", 15));
  shown();

  settings.c_lflag &= ~(tcflag_t)ECHO;
  SHOW(tcsetattr(slave, TCSANOW, &settings));
  typed("secret\n");
  shown();
  got();
  cfmakeraw(&settings);
  SHOW(tcsetattr(slave, TCSAFLUSH, &settings));
  typed("a\x03\r");
  got();
  SHOW(write(slave, "raw\n", 4));
  shown();
  settings.c_cc[VMIN] = 0;
  SHOW(tcsetattr(slave, TCSANOW, &settings));
  char text[8];
  SHOW(read(slave, text, sizeof text));
  settings.c_cc[VTIME] = 1;
  SHOW(tcsetattr(slave, TCSANOW, &settings));
  SHOW(read(slave, text, sizeof text));
  int there = -1;
  typed("xyz");
  SHOW(ioctl(slave, FIONREAD, &there));
  NUM(there);
  SHOW(tcflush(slave, TCIFLUSH));
  SHOW(ioctl(slave, FIONREAD, &there));
  NUM(there);
  SHOW(tcgetpgrp(slave));
  OK(lseek(slave, 0, SEEK_SET));

  SHOW(close(slave));
  SHOW(read(master, text, sizeof text));
  struct pollfd ready = {.fd = master, .events = POLLIN};
  SHOW(poll(&ready, 1, 0));
  IS((ready.revents & POLLHUP) != 0);
  slave = open(name, O_RDWR | O_NOCTTY);
  SHOW(close(master));
  SHOW(read(slave, text, sizeof text));
  SHOW(write(slave, "x", 1));
  IS(access(name, F_OK) == -1 && errno == ENOENT);
  OK(open("/dev/tty", O_RDWR));
  return 0;
}
