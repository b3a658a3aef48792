// An address for one link, or a group on it, means nothing without an interface.
#include "net6.h"

static struct sockaddr_in6 scoped(const char *text, int port, unsigned interface) {
  struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_scope_id = interface};
  need(inet_pton(AF_INET6, text, &address.sin6_addr) == 1, text);
  return address;
}

#define TRY(type, call, text, port, interface) \
  do { \
    int fd = socket(AF_INET6, type, 0); \
    struct sockaddr_in6 address = scoped(text, port, interface); \
    printf("%s %s%%%u: ", #call, text, interface); \
    SHOW(call(fd, ADDRESS(address), sizeof address)); \
    close(fd); \
  } while (0)

int main(void) {
  TRY(SOCK_DGRAM, bind, "fe80::1", 0, 0);
  TRY(SOCK_DGRAM, bind, "fe80::1", 0, 99);
  TRY(SOCK_DGRAM, bind, "fe80::1", 0, 1);
  TRY(SOCK_DGRAM, bind, "ff02::1", 0, 0);
  TRY(SOCK_DGRAM, bind, "ff02::1", 0, 1);
  TRY(SOCK_STREAM, bind, "fe80::1", 0, 0);
  TRY(SOCK_DGRAM, connect, "fe80::1", 9, 0);
  TRY(SOCK_DGRAM, connect, "fe80::1", 9, 1);
  TRY(SOCK_DGRAM, connect, "fe80::1", 9, 99);
  TRY(SOCK_STREAM, connect, "fe80::1", 9, 0);
  TRY(SOCK_STREAM, connect, "fe80::1", 9, 1);
  TRY(SOCK_STREAM, connect, "fe80::1", 9, 99);
  int fd = socket(AF_INET6, SOCK_DGRAM, 0);
  struct sockaddr_in6 lo = scoped("fe80::1", 9, 1), nowhere = scoped("fe80::1", 9, 99);
  SHOW(sendto(fd, "x", 1, 0, ADDRESS(lo), sizeof lo));
  SHOW(sendto(fd, "x", 1, 0, ADDRESS(nowhere), sizeof nowhere));
  return 0;
}
