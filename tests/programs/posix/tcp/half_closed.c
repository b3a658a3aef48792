// One direction ends, the other goes on; readiness at each step.
#include "../socket/net.h"

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  int pair[2];
  tcp_pair(pair);
  ready("client", pair[0], 0);
  SHOW(send(pair[0], "last words", 10, 0));
  SHOW(shutdown(pair[0], SHUT_WR));
  ready("client", pair[0], 0);
  ready("server", pair[1], POLLRDHUP);
  SHOW(send(pair[0], "x", 1, 0));
  get("server", pair[1], 64, 0);
  get("server", pair[1], 64, 0);
  get("server", pair[1], 64, 0);
  SHOW(send(pair[1], "answer", 6, 0));
  ready("client", pair[0], POLLIN);
  get("client", pair[0], 64, 0);
  SHOW(shutdown(pair[1], SHUT_WR));
  ready("client", pair[0], POLLIN);
  ready("server", pair[1], POLLHUP);
  get("client", pair[0], 64, 0);
  Inet a;
  socklen_t len = sizeof a;
  SHOW(getpeername(pair[1], ADDRESS(a), &len));
  SHOW(getsockname(pair[1], ADDRESS(a), &len));
  SHOW(shutdown(pair[1], SHUT_RDWR));
  return 0;
}
