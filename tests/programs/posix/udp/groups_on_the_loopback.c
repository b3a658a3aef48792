// Datagrams to a group reach those that joined it; joining twice and leaving what was not joined.
#include "../socket/net.h"

static int member(int port) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  Inet a = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  need(set(fd, SOL_SOCKET, SO_REUSEADDR, 1) == 0 && bind(fd, ADDRESS(a), sizeof a) == 0, "bind");
  return fd;
}

int main(void) {
  int a = member(0), b = member(port_of(a)), sender = socket(AF_INET, SOCK_DGRAM, 0);
  struct ip_mreq group = {{inet_addr("239.1.2.3")}, {htonl(INADDR_LOOPBACK)}};
  SHOW(set(b, IPPROTO_IP, IP_MULTICAST_ALL, 0));
  SHOW(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group));
  SHOW(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group));
  SHOW(setsockopt(b, IPPROTO_IP, IP_DROP_MEMBERSHIP, &group, sizeof group));
  SHOW(setsockopt(sender, IPPROTO_IP, IP_MULTICAST_IF, &group.imr_interface, sizeof group.imr_interface));
  Inet to = name_of(a);
  to.sin_addr = group.imr_multiaddr;
  SHOW(sendto(sender, "all", 3, 0, ADDRESS(to), sizeof to));
  get("a", a, 9, MSG_DONTWAIT);
  get("b", b, 9, MSG_DONTWAIT);
  SHOW(setsockopt(b, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group));
  SHOW(sendto(sender, "both", 4, 0, ADDRESS(to), sizeof to));
  get("a", a, 9, MSG_DONTWAIT);
  get("b", b, 9, MSG_DONTWAIT);
  SHOW(setsockopt(a, IPPROTO_IP, IP_DROP_MEMBERSHIP, &group, sizeof group));
  group.imr_multiaddr.s_addr = inet_addr("10.0.0.1");
  SHOW(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group));
  SHOW(setsockopt(a, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, 4));
  return 0;
}
