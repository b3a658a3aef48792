// The largest datagram, and one that is too large.
#include "../socket/net.h"

static char data[70000], got[70000];

int main(void) {
  int pair[2];
  udp_pair(pair);
  for (size_t i = 0; i < sizeof data; i++)
    data[i] = (char)(i * 7);
  SHOW(send(pair[0], data, 65507, 0));
  SHOW(recv(pair[1], got, sizeof got, 0));
  IS(!memcmp(data, got, 65507));
  SHOW(send(pair[0], data, 65508, 0));
  SHOW(send(pair[0], data, 70000, 0));
  get("nothing", pair[1], 9, MSG_DONTWAIT);
  return 0;
}
