// SO_LINGER with no time: close resets the connection; what has arrived can still be read.
#include "../socket/net.h"

int main(void) {
  int pair[2];
  tcp_pair(pair);
  struct linger l = {1, 0};
  SHOW(setsockopt(pair[1], SOL_SOCKET, SO_LINGER, &l, sizeof l));
  need(send(pair[1], "bytes", 5, 0) == 5, "send");
  ready("client", pair[0], POLLIN);
  close(pair[1]);
  ready("client", pair[0], POLLHUP);
  get("client", pair[0], 9, 0);
  get("client", pair[0], 9, 0);
  get("client", pair[0], 9, 0);
  return 0;
}
