// shutdown on datagram sockets, connected or not.
#include "../socket/net.h"

int main(void) {
  signal(SIGPIPE, SIG_DFL);
  int pair[2];
  udp_pair(pair);
  SHOW(shutdown(pair[0], SHUT_WR));
  SHOW(send(pair[0], "x", 1, 0));
  ready("no writing", pair[0], 0);
  SHOW(send(pair[1], "y", 1, 0));
  get("reading", pair[0], 9, MSG_DONTWAIT);
  SHOW(shutdown(pair[0], SHUT_RD));
  ready("nothing", pair[0], 0);
  get("reading", pair[0], 9, 0);
  get("without waiting", pair[0], 9, MSG_DONTWAIT);
  int fd = at_free_port(SOCK_DGRAM);
  SHOW(shutdown(fd, SHUT_RD));
  ready("not connected", fd, 0);
  get("not connected", fd, 9, 0);
  return 0;
}
