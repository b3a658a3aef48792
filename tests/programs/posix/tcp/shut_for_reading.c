// SHUT_RD ends reading on this side only; the other side may still write.
#include "../socket/net.h"

int main(void) {
  int pair[2];
  tcp_pair(pair);
  SHOW(shutdown(pair[0], SHUT_RD));
  ready("shut", pair[0], 0);
  ready("other", pair[1], 0);
  get("shut", pair[0], 9, 0);
  SHOW(send(pair[1], "still", 5, 0));
  get("shut", pair[0], 9, 0);
  get("shut", pair[0], 9, 0);
  SHOW(send(pair[0], "written", 7, 0));
  get("other", pair[1], 9, 0);
  SHOW(shutdown(pair[0], SHUT_RDWR));
  ready("both", pair[0], 0);
  get("other", pair[1], 9, 0);
  return 0;
}
