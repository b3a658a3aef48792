/* Connections that may be refused. */
#ifndef REFUSED_H
#define REFUSED_H

#include <fcntl.h>
#include <poll.h>

#include "line.h"

/* The error with which a connection to the peer ends, or 0. The socket is closed in any case. */
static inline int error_of_connect(void) {
  struct sockaddr_in peer = address_of("peer", 7000);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  int error = connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0 ? 0 : errno;
  close(fd);
  return error;
}

/* The same, by a call that does not wait. */
static inline int error_of_connect_later(void) {
  struct sockaddr_in peer = address_of("peer", 7000);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), error = 0;
  socklen_t size = sizeof error;
  assert(connect(fd, (struct sockaddr *)&peer, sizeof peer) == -1 && errno == EINPROGRESS);
  struct pollfd wanted = {fd, POLLOUT, 0};
  assert(poll(&wanted, 1, -1) == 1);
  assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0);
  if (error != 0) assert(wanted.revents == (POLLOUT | POLLERR | POLLHUP));
  close(fd);
  return error;
}

#endif
