/* A service finds out who is there by asking all on the network, in the manner of IPv6. */
#include "ipv6.h"
#include <net/if.h>

int main(int argc, char **argv) {
  struct sockaddr_in6 group = {.sin6_family = AF_INET6, .sin6_port = htons(7001)};
  assert(inet_pton(AF_INET6, "ff02::4:2", &group.sin6_addr) == 1);
  if (strcmp(argv[1], "member") == 0) {
    int fd = bound6(SOCK_DGRAM, 7001, 1);
    struct ipv6_mreq membership = {.ipv6mr_multiaddr = group.sin6_addr};
    assert(setsockopt(fd, IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, &membership, sizeof membership) == 0);
    struct sockaddr_in6 from;
    socklen_t size = sizeof from;
    char question;
    assert(recvfrom(fd, &question, 1, 0, (struct sockaddr *)&from, &size) == 1);
    assert(sendto(fd, argv[2], 1, 0, (struct sockaddr *)&from, size) == 1);
    return 0;
  }
  int fd = socket(AF_INET6, SOCK_DGRAM, 0);
  assert(sendto(fd, "?", 1, 0, (struct sockaddr *)&group, sizeof group) == 1);
  char first, second;
  assert(recv(fd, &first, 1, 0) == 1 && recv(fd, &second, 1, 0) == 1);
  assert(first < second); // mark: order
  return 0;
}
