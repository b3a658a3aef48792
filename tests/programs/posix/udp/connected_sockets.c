// connect fixes where datagrams go and whose are received; AF_UNSPEC undoes it.
#include "../socket/net.h"

int main(void) {
  int a = at_free_port(SOCK_DGRAM), b = at_free_port(SOCK_DGRAM), c = at_free_port(SOCK_DGRAM);
  Inet to_a = name_of(a), to_b = name_of(b), to_c = name_of(c), peer;
  socklen_t len = sizeof peer;
  SHOW(send(a, "x", 1, 0));
  SHOW(getpeername(a, ADDRESS(peer), &len));
  SHOW(connect(a, ADDRESS(to_b), sizeof to_b));
  SHOW(getpeername(a, ADDRESS(peer), &len));
  IS(peer.sin_port == to_b.sin_port);
  SHOW(sendto(c, "from c", 6, 0, ADDRESS(to_a), sizeof to_a));
  SHOW(sendto(b, "from b", 6, 0, ADDRESS(to_a), sizeof to_a));
  get("only b", a, 32, MSG_DONTWAIT);
  get("not c", a, 32, MSG_DONTWAIT);
  SHOW(send(a, "to b", 4, 0));
  get("b", b, 32, MSG_DONTWAIT);
  SHOW(sendto(a, "to c", 4, 0, ADDRESS(to_c), sizeof to_c));
  get("c", c, 32, MSG_DONTWAIT);
  SHOW(connect(a, ADDRESS(to_c), sizeof to_c));
  struct sockaddr none = {.sa_family = AF_UNSPEC};
  SHOW(connect(a, &none, sizeof none));
  SHOW(send(a, "x", 1, 0));
  SHOW(getpeername(a, ADDRESS(peer), &len));
  int fresh = socket(AF_INET, SOCK_DGRAM, 0);
  SHOW(connect(fresh, ADDRESS(to_b), sizeof to_b));
  IS(name_of(fresh).sin_addr.s_addr == htonl(INADDR_LOOPBACK) && port_of(fresh) != 0);
  return 0;
}
