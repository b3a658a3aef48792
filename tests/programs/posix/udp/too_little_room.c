// What does not fit into the buffer is lost; MSG_TRUNC tells how much there was; MSG_PEEK leaves it.
#include "../socket/net.h"

int main(void) {
  int pair[2];
  udp_pair(pair);
  need(send(pair[0], "abcdefgh", 8, 0) == 8 && send(pair[0], "second", 6, 0) == 6, "send");
  get("peek", pair[1], 3, MSG_PEEK);
  get("peek whole length", pair[1], 3, MSG_PEEK | MSG_TRUNC);
  get("short", pair[1], 3, 0);
  get("next", pair[1], 32, 0);
  need(send(pair[0], "abcdefgh", 8, 0) == 8, "send");
  char a[2], b[3];
  struct iovec list[2] = {{a, 2}, {b, 3}};
  struct msghdr m = {.msg_iov = list, .msg_iovlen = 2};
  SHOW(recvmsg(pair[1], &m, 0));
  IS(m.msg_flags == MSG_TRUNC);
  bytes("a", a, 2);
  bytes("b", b, 3);
  need(send(pair[0], "xy", 2, 0) == 2, "send");
  SHOW(recvmsg(pair[1], &m, MSG_TRUNC));
  NUM(m.msg_flags);
  SHOW(recv(pair[1], a, 1, MSG_OOB | MSG_DONTWAIT));
  SHOW(send(pair[0], a, 1, MSG_OOB));
  return 0;
}
