// With IPV6_V6ONLY, a socket leaves IPv4 to another one at the same port.
#include "net6.h"

int main(void) {
  int six = socket(AF_INET6, SOCK_STREAM, 0);
  NUM(option(six, IPPROTO_IPV6, IPV6_V6ONLY));
  SHOW(set(six, IPPROTO_IPV6, IPV6_V6ONLY, 1));
  NUM(option(six, IPPROTO_IPV6, IPV6_V6ONLY));
  Inet6 any = at6("::", 0), mapped = at6("::ffff:127.0.0.1", 0);
  SHOW(bind(six, ADDRESS(mapped), sizeof mapped));
  SHOW(bind(six, ADDRESS(any), sizeof any));
  SHOW(set(six, IPPROTO_IPV6, IPV6_V6ONLY, 0));
  SHOW(listen(six, 5));
  int port = port6_of(six);

  int client = socket(AF_INET, SOCK_STREAM, 0);
  Inet here = local(port);
  SHOW(connect(client, ADDRESS(here), sizeof here));

  int four = socket(AF_INET, SOCK_STREAM, 0);
  Inet any4 = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  SHOW(bind(four, ADDRESS(any4), sizeof any4));
  SHOW(listen(four, 5));
  close(client);
  client = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(connect(client, ADDRESS(here), sizeof here));
  ready("listener of IPv4", four, POLLIN);
  ready("listener of IPv6", six, 0);

  int only = socket(AF_INET6, SOCK_STREAM, 0);
  SHOW(set(only, IPPROTO_IPV6, IPV6_V6ONLY, 1));
  mapped.sin6_port = htons((unsigned short)port);
  SHOW(connect(only, ADDRESS(mapped), sizeof mapped));

  // Without it, :: is taken for both families.
  int both = socket(AF_INET6, SOCK_STREAM, 0);
  Inet6 again = at6("::", port);
  SHOW(bind(both, ADDRESS(again), sizeof again));
  close(six);
  SHOW(bind(both, ADDRESS(again), sizeof again));
  close(four);
  Inet6 loopback = at6("::1", port);
  SHOW(bind(both, ADDRESS(loopback), sizeof loopback));
  return 0;
}
