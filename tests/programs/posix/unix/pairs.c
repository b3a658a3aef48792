// socketpair: streams, datagrams and packets between two ends; other domains have none.
#include "local.h"

static void both(const char *what, int type) {
  int p[2];
  need(socketpair(AF_UNIX, type, 0, p) == 0, "socketpair");
  printf("%s\n", what);
  SHOW(write(p[0], "one", 3));
  SHOW(write(p[0], "two", 3));
  get("first", p[1], 32, 0);
  get("second", p[1], 32, MSG_DONTWAIT);
  SHOW(send(p[1], "back", 4, 0));
  get("short", p[0], 2, 0);
  get("rest", p[0], 32, MSG_DONTWAIT);
  ready("idle", p[0], 0);
  close(p[1]);
  ready("alone", p[0], 0);
  get("alone", p[0], 32, MSG_DONTWAIT);
  SHOW(send(p[0], "x", 1, MSG_NOSIGNAL));
}

int main(void) {
  both("stream", SOCK_STREAM);
  both("datagram", SOCK_DGRAM);
  both("packet", SOCK_SEQPACKET);
  int p[2];
  SHOW(socketpair(AF_INET, SOCK_STREAM, 0, p));
  SHOW(socketpair(AF_UNIX, SOCK_RDM, 0, p));
  SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, unmapped));
  SHOW(socketpair(AF_UNIX, SOCK_STREAM | 0x100, 0, p));
  return 0;
}
