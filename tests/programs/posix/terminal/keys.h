// What is typed at the master of a pair, and what its two sides get.
#include "../check.h"
#include <poll.h>
#include <termios.h>

static int master, slave;

static void typed(const char *text) {
  need(write(master, text, strlen(text)) == (ssize_t)strlen(text), "typing");
  // The kernel hands it over at its leisure.
  usleep(80000);
}

static void shown(void) {
  char text[256];
  usleep(20000);
  struct pollfd ready = {.fd = master, .events = POLLIN};
  ssize_t count = poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) ? read(master, text, sizeof text) : 0;
  bytes("shown", text, count > 0 ? (size_t)count : 0);
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
