// The most exact of several sockets at a port gets the datagram.
#include "../socket/net.h"

static int bound(const char *address, int port) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  Inet a = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  a.sin_addr.s_addr = inet_addr(address);
  need(set(fd, SOL_SOCKET, SO_REUSEADDR, 1) == 0 && bind(fd, ADDRESS(a), sizeof a) == 0, "bind");
  return fd;
}

int main(void) {
  int any = bound("0.0.0.0", 0);
  int port = port_of(any);
  int one = bound("127.0.0.1", port), two = bound("127.0.0.2", port), three = bound("127.0.0.1", port);
  int sender = at_free_port(SOCK_DGRAM);
  Inet from = name_of(sender), to = local(port);
  SHOW(sendto(sender, "newest", 6, 0, ADDRESS(to), sizeof to));
  get("one", one, 9, MSG_DONTWAIT);
  get("three", three, 9, MSG_DONTWAIT);
  need(connect(one, ADDRESS(from), sizeof from) == 0, "connect");
  SHOW(sendto(sender, "connected", 9, 0, ADDRESS(to), sizeof to));
  get("one", one, 9, MSG_DONTWAIT);
  get("three", three, 9, MSG_DONTWAIT);
  to.sin_addr.s_addr = inet_addr("127.0.0.2");
  SHOW(sendto(sender, "two", 3, 0, ADDRESS(to), sizeof to));
  get("two", two, 9, MSG_DONTWAIT);
  to.sin_addr.s_addr = inet_addr("127.0.0.3");
  SHOW(sendto(sender, "any", 3, 0, ADDRESS(to), sizeof to));
  get("any", any, 9, MSG_DONTWAIT);
  return 0;
}
