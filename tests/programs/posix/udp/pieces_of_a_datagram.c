// MSG_MORE and UDP_CORK collect a datagram.
#include "../socket/net.h"
#include <netinet/udp.h>

int main(void) {
  int pair[2];
  udp_pair(pair);
  SHOW(send(pair[0], "one ", 4, MSG_MORE));
  SHOW(send(pair[0], "two ", 4, MSG_MORE));
  get("not yet", pair[1], 32, MSG_DONTWAIT);
  SHOW(send(pair[0], "three", 5, 0));
  get("whole", pair[1], 32, MSG_DONTWAIT);
  SHOW(set(pair[0], IPPROTO_UDP, UDP_CORK, 1));
  SHOW(send(pair[0], "a", 1, 0));
  SHOW(send(pair[0], "b", 1, 0));
  get("corked", pair[1], 32, MSG_DONTWAIT);
  SHOW(set(pair[0], IPPROTO_UDP, UDP_CORK, 0));
  get("uncorked", pair[1], 32, MSG_DONTWAIT);
  return 0;
}
