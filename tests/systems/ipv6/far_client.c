/* Asks a server behind a router, whose address is written as a number. */
#include "ipv6.h"

int main(void) {
  struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons(7000)};
  assert(inet_pton(AF_INET6, "fd00:2::7", &to.sin6_addr) == 1);
  int fd = socket(AF_INET6, SOCK_DGRAM, 0);
  assert(connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
  assert(send(fd, "?", 1, 0) == 1);
  char hops;
  assert(recv(fd, &hops, 1, 0) == 1);
  assert(hops == 63);
  /* Nobody has this address, and no way leads to the other one. */
  assert(inet_pton(AF_INET6, "2001:db8::1", &to.sin6_addr) == 1);
  assert(connect(fd, (struct sockaddr *)&to, sizeof to) == -1 && errno == ENETUNREACH);
  return 0;
}
