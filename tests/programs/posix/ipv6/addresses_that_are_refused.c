// Addresses that are too short, of another family, or nobody's; and what the options take.
#include "net6.h"

int main(void) {
  int six = socket(AF_INET6, SOCK_STREAM, 0), four = socket(AF_INET, SOCK_STREAM, 0);
  Inet6 a = at6("::1", 0), away = at6("2001:db8::1", 0);
  Inet b = local(0);
  SHOW(bind(six, ADDRESS(a), 20));
  SHOW(bind(six, ADDRESS(b), sizeof b));
  SHOW(bind(six, ADDRESS(away), sizeof away));
  SHOW(bind(four, ADDRESS(a), sizeof a));
  SHOW(bind(six, ADDRESS(a), 24));
  show_names("bound", six);
  SHOW(bind(six, ADDRESS(a), sizeof a));
  SHOW(connect(four, ADDRESS(a), sizeof a));
  Inet6 there = at6("::1", 9);
  int client = socket(AF_INET6, SOCK_STREAM, 0);
  SHOW(connect(client, ADDRESS(there), 20));
  SHOW(connect(client, ADDRESS(b), sizeof b));
  SHOW(connect(client, ADDRESS(there), sizeof there));

  NUM(option(six, IPPROTO_IPV6, IPV6_UNICAST_HOPS));
  SHOW(set(six, IPPROTO_IPV6, IPV6_UNICAST_HOPS, 7));
  NUM(option(six, IPPROTO_IPV6, IPV6_UNICAST_HOPS));
  SHOW(set(six, IPPROTO_IPV6, IPV6_UNICAST_HOPS, 256));
  SHOW(set(six, IPPROTO_IPV6, IPV6_UNICAST_HOPS, -1));
  NUM(option(six, IPPROTO_IPV6, IPV6_UNICAST_HOPS));
  NUM(option(six, IPPROTO_IPV6, IPV6_RECVPKTINFO));
  SHOW(set(six, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1));
  NUM(option(six, IPPROTO_IPV6, IPV6_RECVPKTINFO));
  SHOW(set(six, IPPROTO_IP, IP_TTL, 9));
  NUM(option(six, IPPROTO_IP, IP_TTL));
  SHOW(set(four, IPPROTO_IPV6, IPV6_V6ONLY, 1));
  NUM(option(four, SOL_SOCKET, SO_DOMAIN));
  NUM(option(six, SOL_SOCKET, SO_DOMAIN));
  return 0;
}
