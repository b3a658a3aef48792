// Shared by the programs about sockets: addresses, connected pairs, and readiness in words. Include it first.
#ifndef NET_H
#define NET_H

#include "../check.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

typedef struct sockaddr_in Inet;
#define ADDRESS(a) ((struct sockaddr *)&(a))

// A port of this host.
HELPER Inet local(int port) {
  Inet a = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return a;
}

// The address of a socket.
HELPER Inet name_of(int fd) {
  Inet a = {0};
  socklen_t len = sizeof a;
  need(getsockname(fd, ADDRESS(a), &len) == 0, "getsockname");
  return a;
}

HELPER int port_of(int fd) { return ntohs(name_of(fd).sin_port); }

// A socket of a type at a free port of this host.
HELPER int at_free_port(int type) {
  int fd = socket(AF_INET, type, 0);
  Inet a = local(0);
  need(fd >= 0 && bind(fd, ADDRESS(a), sizeof a) == 0, "bind");
  return fd;
}

// A port of this host where nobody is.
HELPER Inet nobody(int type) {
  int fd = at_free_port(type);
  Inet a = name_of(fd);
  close(fd);
  return a;
}

HELPER int listener(int backlog) {
  int fd = at_free_port(SOCK_STREAM);
  need(listen(fd, backlog) == 0, "listen");
  return fd;
}

// A connection to one that listens.
HELPER int client_of(int listening) {
  Inet a = name_of(listening);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  need(fd >= 0 && connect(fd, ADDRESS(a), sizeof a) == 0, "connect");
  return fd;
}

// Both ends of a connection: the client's, and the server's.
HELPER void tcp_pair(int pair[2]) {
  int listening = listener(1);
  pair[0] = client_of(listening);
  pair[1] = accept(listening, NULL, NULL);
  need(pair[1] >= 0, "accept");
  close(listening);
}

// Two datagram sockets, each connected to the other.
HELPER void udp_pair(int pair[2]) {
  pair[0] = at_free_port(SOCK_DGRAM);
  pair[1] = at_free_port(SOCK_DGRAM);
  Inet a = name_of(pair[0]), b = name_of(pair[1]);
  need(connect(pair[0], ADDRESS(b), sizeof b) == 0 && connect(pair[1], ADDRESS(a), sizeof a) == 0, "connect");
}

// Prints what a descriptor is ready for, once it is ready for something of `wanted`.
HELPER void ready(const char *what, int fd, int wanted) {
  struct pollfd one = {fd, (short)wanted, 0};
  if (wanted)
    poll(&one, 1, 1000);
  one.events = POLLIN | POLLOUT | POLLRDHUP | POLLPRI;
  poll(&one, 1, 0);
  int r = one.revents;
  printf("%s:%s%s%s%s%s%s%s\n", what, r & POLLIN ? " in" : "", r & POLLOUT ? " out" : "", r & POLLPRI ? " pri" : "",
         r & POLLRDHUP ? " rdhup" : "", r & POLLHUP ? " hup" : "", r & POLLERR ? " err" : "",
         r & POLLNVAL ? " nval" : "");
}

// Prints what is received.
HELPER void get(const char *what, int fd, size_t room, int flags) {
  char buffer[512];
  errno = 0;
  ssize_t n = recv(fd, buffer, room, flags);
  if (n < 0)
    printf("%s: %s\n", what, errno_name(errno));
  else
    printf("%s: %zd [%.*s]\n", what, n, (int)((size_t)n < room ? (size_t)n : room), buffer);
}

// An option that is an int.
HELPER int option(int fd, int level, int name) {
  int value = -12345;
  socklen_t len = sizeof value;
  if (getsockopt(fd, level, name, &value, &len) != 0)
    return -errno;
  return value;
}

HELPER int set(int fd, int level, int name, int value) { return setsockopt(fd, level, name, &value, sizeof value); }

#endif
