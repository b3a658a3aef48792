// Groups are joined and left by the number of an interface, in both families.
#include "../socket/net.h"

static struct group_req request(unsigned interface, int family, const char *text) {
  struct group_req group = {.gr_interface = interface};
  if (family == AF_INET) {
    Inet *address = (Inet *)&group.gr_group;
    address->sin_family = AF_INET;
    need(inet_pton(family, text, &address->sin_addr) == 1, text);
  } else {
    struct sockaddr_in6 *address = (struct sockaddr_in6 *)&group.gr_group;
    address->sin6_family = AF_INET6;
    need(inet_pton(family, text, &address->sin6_addr) == 1, text);
  }
  return group;
}

static void change(int fd, int level, int name, unsigned interface, int family, const char *text) {
  struct group_req group = request(interface, family, text);
  SHOW(setsockopt(fd, level, name, &group, sizeof group));
}

int main(void) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  change(fd, IPPROTO_IP, MCAST_JOIN_GROUP, 1, AF_INET, "239.1.2.3");
  change(fd, IPPROTO_IP, MCAST_JOIN_GROUP, 1, AF_INET, "239.1.2.3");
  change(fd, IPPROTO_IP, MCAST_JOIN_GROUP, 1, AF_INET6, "ff02::5");
  change(fd, IPPROTO_IP, MCAST_JOIN_GROUP, 77, AF_INET, "239.1.2.4");
  change(fd, IPPROTO_IP, MCAST_JOIN_GROUP, 1, AF_INET, "10.0.0.1");
  change(fd, IPPROTO_IP, MCAST_LEAVE_GROUP, 1, AF_INET, "239.1.2.3");
  change(fd, IPPROTO_IP, MCAST_LEAVE_GROUP, 1, AF_INET, "239.1.2.3");
  struct group_req group = request(1, AF_INET, "239.1.2.3");
  SHOW(setsockopt(fd, IPPROTO_IP, MCAST_JOIN_GROUP, &group, 20));
  int six = socket(AF_INET6, SOCK_DGRAM, 0);
  change(six, IPPROTO_IPV6, MCAST_JOIN_GROUP, 1, AF_INET6, "ff02::5");
  change(six, IPPROTO_IPV6, MCAST_JOIN_GROUP, 1, AF_INET6, "ff02::5");
  change(six, IPPROTO_IPV6, MCAST_JOIN_GROUP, 1, AF_INET, "239.1.2.3");
  change(six, IPPROTO_IPV6, MCAST_JOIN_GROUP, 77, AF_INET6, "ff02::6");
  change(six, IPPROTO_IPV6, MCAST_JOIN_GROUP, 1, AF_INET6, "fe80::6");
  change(six, IPPROTO_IPV6, MCAST_LEAVE_GROUP, 1, AF_INET6, "ff02::5");
  change(six, IPPROTO_IPV6, MCAST_LEAVE_GROUP, 1, AF_INET6, "ff02::5");

  // What is sent to the group arrives while it is joined.
  int receiver = socket(AF_INET, SOCK_DGRAM, 0), sender = at_free_port(SOCK_DGRAM);
  Inet own = {.sin_family = AF_INET};
  need(bind(receiver, ADDRESS(own), sizeof own) == 0, "bind");
  set(receiver, IPPROTO_IP, IP_MULTICAST_ALL, 0);
  Inet to = name_of(receiver);
  need(inet_pton(AF_INET, "239.9.9.9", &to.sin_addr) == 1, "inet_pton");
  change(receiver, IPPROTO_IP, MCAST_JOIN_GROUP, 1, AF_INET, "239.9.9.9");
  struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
  SHOW(setsockopt(sender, IPPROTO_IP, IP_MULTICAST_IF, &loopback, sizeof loopback));
  SHOW(sendto(sender, "one", 3, 0, ADDRESS(to), sizeof to));
  get("joined", receiver, 16, MSG_DONTWAIT);
  change(receiver, IPPROTO_IP, MCAST_LEAVE_GROUP, 1, AF_INET, "239.9.9.9");
  SHOW(sendto(sender, "two", 3, 0, ADDRESS(to), sizeof to));
  get("left", receiver, 16, MSG_DONTWAIT);
  return 0;
}
