// The keys that edit a line: for a word, for quoting, for showing it again, for other ends of it.
#include "../check.h"
#include <poll.h>
#include <pty.h>
#include <termios.h>

static int master, slave;

static void typed(const char *text) {
  need(write(master, text, strlen(text)) == (ssize_t)strlen(text), "typing");
  // The kernel hands it over at its leisure.
  usleep(80000);
  char answer[256];
  struct pollfd ready = {.fd = master, .events = POLLIN};
  ssize_t count = poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) ? read(master, answer, sizeof answer) : 0;
  bytes("shown", answer, count > 0 ? (size_t)count : 0);
}

static void got(void) {
  char text[64];
  struct pollfd ready = {.fd = slave, .events = POLLIN};
  if (poll(&ready, 1, 0) == 0) {
    printf("nothing to read\n");
    return;
  }
  ssize_t count = read(slave, text, sizeof text);
  bytes("read", text, count > 0 ? (size_t)count : 0);
}

static void change(unsigned on, unsigned off) {
  struct termios settings;
  need(tcgetattr(slave, &settings) == 0, "tcgetattr");
  settings.c_lflag = (settings.c_lflag | on) & ~off;
  settings.c_cc[VEOL] = ';';
  settings.c_cc[VEOL2] = '!';
  need(tcsetattr(slave, TCSANOW, &settings) == 0, "tcsetattr");
}

int main(void) {
  need(openpty(&master, &slave, NULL, NULL, NULL) == 0, "openpty");
  typed("one two_2, three  \x17");
  typed("\x17more\n");
  got();
  typed("\x17\n");
  got();
  typed("a\x16\x03" "b\x16\x7f" "c");
  typed("\x7f\x7f\n");
  got();
  typed("again\x12 and\n");
  got();
  typed("\x16\n\n");
  got();
  typed("gone\x15" "kept\n");
  got();
  change(0, 0);
  typed("one;two!three\n");
  got();
  got();
  got();
  change(0, IEXTEN);
  typed("a\x17" "b!c;");
  got();
  change(IEXTEN, ECHOE);
  typed("ab\x7f\n");
  got();
  change(0, ECHOKE);
  typed("ab\x15" "c\n");
  got();
  change(0, ECHOK);
  typed("ab\x15" "d\n");
  got();
  change(ECHOE, ECHOCTL);
  typed("a\x01\x7f\x16\x02\n");
  got();
  change(0, ECHO);
  typed("a b\x17" "c\x12\n");
  got();
  return 0;
}
