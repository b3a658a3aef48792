/* What the programs of these systems have in common: sockets of IPv6, and addresses as text. */
#ifndef IPV6_H
#define IPV6_H

#include "../sockets.h"

/* The address of a host in a family, which has to exist. */
static inline struct sockaddr_storage found(const char *host, int port, int family, socklen_t *size) {
  struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_STREAM}, *result = NULL;
  struct sockaddr_storage address = {0};
  assert(getaddrinfo(host, NULL, &hints, &result) == 0);
  memcpy(&address, result->ai_addr, result->ai_addrlen);
  *size = result->ai_addrlen;
  freeaddrinfo(result);
  /* The port is at the same place in both families. */
  ((struct sockaddr_in6 *)&address)->sin6_port = htons(port);
  return address;
}

/* A socket that is bound to a port of all of the host's addresses, of both families or of IPv6 alone. */
static inline int bound6(int type, int port, int is_only) {
  int fd = socket(AF_INET6, type, 0);
  struct sockaddr_in6 self = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  assert(fd >= 0);
  assert(setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &is_only, sizeof is_only) == 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  return fd;
}

static inline const char *text_of(const struct sockaddr_storage *address) {
  static char text[INET6_ADDRSTRLEN];
  assert(address->ss_family == AF_INET6);
  return inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, sizeof text);
}

#endif
