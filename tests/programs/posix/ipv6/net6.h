// Shared by the programs about IPv6: addresses and their text. Include it first.
#ifndef NET6_H
#define NET6_H

#include "../socket/net.h"

typedef struct sockaddr_in6 Inet6;

// An address of IPv6 by its text, with a port.
HELPER Inet6 at6(const char *text, int port) {
  Inet6 a = {.sin6_family = AF_INET6, .sin6_port = htons((unsigned short)port)};
  need(inet_pton(AF_INET6, text, &a.sin6_addr) == 1, "inet_pton");
  return a;
}

// A socket of IPv6 at a free port of an address.
HELPER int bound6(int type, const char *text) {
  int fd = socket(AF_INET6, type, 0);
  Inet6 a = at6(text, 0);
  need(fd >= 0 && bind(fd, ADDRESS(a), sizeof a) == 0, "bind");
  return fd;
}

HELPER int port6_of(int fd) {
  Inet6 a = {0};
  socklen_t len = sizeof a;
  need(getsockname(fd, ADDRESS(a), &len) == 0, "getsockname");
  return ntohs(a.sin6_port);
}

// Prints an address of either family without its port.
HELPER void show_address(const char *what, const void *address, socklen_t len) {
  char text[INET6_ADDRSTRLEN] = "?";
  const Inet6 *six = address;
  const Inet *four = address;
  if (six->sin6_family == AF_INET6)
    inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof text);
  else if (four->sin_family == AF_INET)
    inet_ntop(AF_INET, &four->sin_addr, text, sizeof text);
  printf("%s: %s, %u bytes\n", what, text, (unsigned)len);
}

// Prints both names of a socket.
HELPER void show_names(const char *what, int fd) {
  struct sockaddr_storage a = {0};
  socklen_t len = sizeof a;
  printf("%s\n", what);
  if (getsockname(fd, ADDRESS(a), &len) == 0)
    show_address("  here", &a, len);
  len = sizeof a;
  if (getpeername(fd, ADDRESS(a), &len) == 0)
    show_address("  there", &a, len);
  else
    printf("  there: %s\n", errno_name(errno));
}

#endif
