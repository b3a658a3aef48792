// SOCK_SEQPACKET: connected, and each message whole.
#include "local.h"

int main(void) {
  int l = server(SOCK_SEQPACKET, "packets"), fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
  SHOW(connect_to(fd, "packets"));
  int s = accept(l, NULL, NULL);
  SHOW(send(fd, "first", 5, 0));
  SHOW(send(fd, "second", 6, 0));
  SHOW(send(fd, "third", 5, MSG_EOR));
  get("cut", s, 3, 0);
  get("whole", s, 32, 0);
  get("length", s, 2, MSG_TRUNC);
  get("none", s, 32, MSG_DONTWAIT);
  SHOW(shutdown(fd, SHUT_WR));
  ready("server", s, 0);
  get("end", s, 32, 0);
  SHOW(send(fd, "x", 1, 0));
  SHOW(send(s, "back", 4, 0));
  get("client", fd, 32, 0);
  close(s);
  ready("client", fd, 0);
  get("client", fd, 32, 0);
  return 0;
}
