// The other end is closed: reading ends, or says that bytes were lost; writing breaks.
#include "local.h"

static volatile sig_atomic_t caught;
static void handler(int number) { caught += number == SIGPIPE; }

int main(void) {
  signal(SIGPIPE, handler);
  int p[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0, "socketpair");
  SHOW(write(p[1], "left", 4));
  close(p[1]);
  ready("closed", p[0], 0);
  get("left", p[0], 32, 0);
  get("end", p[0], 32, 0);
  SHOW(write(p[0], "x", 1));
  NUM(caught);
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0, "socketpair");
  SHOW(write(p[0], "lost", 4));
  close(p[1]);
  ready("lost", p[0], 0);
  get("lost", p[0], 32, 0);
  get("lost", p[0], 32, 0);
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0, "socketpair");
  SHOW(shutdown(p[0], SHUT_WR));
  SHOW(write(p[0], "x", 1));
  NUM(caught);
  ready("half", p[1], 0);
  get("half", p[1], 32, 0);
  SHOW(write(p[1], "back", 4));
  get("back", p[0], 32, 0);
  SHOW(shutdown(p[0], SHUT_RD));
  SHOW(write(p[1], "x", 1));
  NUM(caught);
  SHOW(shutdown(socket(AF_UNIX, SOCK_STREAM, 0), SHUT_RDWR));
  return 0;
}
