// A receive queue that is full drops what comes; the sender is not told.
#include "../socket/net.h"

int main(void) {
  int pair[2];
  udp_pair(pair);
  need(set(pair[1], SOL_SOCKET, SO_RCVBUF, 4096) == 0, "buffer");
  static char data[2000];
  int sent = 0, got = 0;
  for (int i = 0; i < 50; i++) {
    data[0] = (char)i;
    sent += send(pair[0], data, sizeof data, 0) == (ssize_t)sizeof data;
  }
  NUM(sent);
  int in_order = 1;
  while (recv(pair[1], data, sizeof data, MSG_DONTWAIT) == (ssize_t)sizeof data)
    in_order &= data[0] == got++;
  IS(got >= 1 && got < 10);
  IS(in_order);
  SHOW(send(pair[0], "x", 1, 0));
  get("room again", pair[1], 9, MSG_DONTWAIT);
  return 0;
}
