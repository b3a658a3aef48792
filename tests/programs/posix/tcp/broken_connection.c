// Closing with unread bytes breaks off: ECONNRESET once, then the end; writing gives EPIPE.
#include "../socket/net.h"

static volatile sig_atomic_t caught;
static void handler(int number) { caught += number == SIGPIPE; }

int main(void) {
  signal(SIGPIPE, handler);
  int pair[2];
  tcp_pair(pair);
  need(send(pair[0], "unread", 6, 0) == 6, "send");
  ready("server", pair[1], POLLIN);
  close(pair[1]);
  ready("client", pair[0], POLLHUP);
  IS(option(pair[0], SOL_SOCKET, SO_ERROR) == ECONNRESET);
  get("client", pair[0], 9, 0);
  SHOW(send(pair[0], "x", 1, 0));
  NUM(caught);
  SHOW(send(pair[0], "x", 1, MSG_NOSIGNAL));
  NUM(caught);
  close(pair[0]);
  tcp_pair(pair);
  need(send(pair[0], "unread", 6, 0) == 6, "send");
  ready("server", pair[1], POLLIN);
  close(pair[1]);
  ready("client", pair[0], POLLHUP);
  get("client", pair[0], 9, 0);
  get("client", pair[0], 9, 0);
  close(pair[0]);
  // The first write after it tells as well, without a signal.
  tcp_pair(pair);
  need(send(pair[0], "unread", 6, 0) == 6, "send");
  ready("server", pair[1], POLLIN);
  close(pair[1]);
  ready("client", pair[0], POLLHUP);
  SHOW(send(pair[0], "x", 1, 0));
  NUM(caught);
  SHOW(write(pair[0], "x", 1));
  NUM(caught);
  return 0;
}
