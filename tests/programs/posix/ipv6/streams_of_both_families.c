// A listener at :: accepts connections of IPv6 and of IPv4, whose addresses it sees inside of IPv6.
#include "net6.h"

int main(void) {
  int listening = bound6(SOCK_STREAM, "::");
  SHOW(listen(listening, 5));
  show_names("listener", listening);
  int port = port6_of(listening);

  int six = socket(AF_INET6, SOCK_STREAM, 0);
  Inet6 here = at6("::1", port);
  SHOW(connect(six, ADDRESS(here), sizeof here));
  struct sockaddr_storage from = {0};
  socklen_t len = sizeof from;
  int served = accept(listening, ADDRESS(from), &len);
  show_address("accepted from", &from, len);
  show_names("client of IPv6", six);
  show_names("its connection", served);
  SHOW(send(six, "six", 3, 0));
  get("server", served, 9, 0);
  close(six);
  get("end", served, 9, 0);
  close(served);

  int four = socket(AF_INET, SOCK_STREAM, 0);
  Inet there = local(port);
  SHOW(connect(four, ADDRESS(there), sizeof there));
  len = sizeof from;
  served = accept(listening, ADDRESS(from), &len);
  show_address("accepted from", &from, len);
  show_names("client of IPv4", four);
  show_names("its connection", served);
  NUM(option(served, SOL_SOCKET, SO_DOMAIN));
  SHOW(send(served, "answer", 6, 0));
  get("client", four, 9, 0);
  close(four);
  close(served);

  int mapped = socket(AF_INET6, SOCK_STREAM, 0);
  Inet6 inside = at6("::ffff:127.0.0.1", port);
  SHOW(connect(mapped, ADDRESS(inside), sizeof inside));
  show_names("client of IPv4 inside of IPv6", mapped);
  len = 10;
  served = accept(listening, ADDRESS(from), &len);
  NUM(len);
  NUM(from.ss_family == AF_INET6);

  int any = socket(AF_INET6, SOCK_STREAM, 0);
  Inet6 unspecified = at6("::", port);
  SHOW(connect(any, ADDRESS(unspecified), sizeof unspecified));
  show_names("client of ::", any);
  return 0;
}
