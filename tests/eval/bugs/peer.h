/* What clients of the rebuilt servers have in common. */
#ifndef PEER_H
#define PEER_H

#include <klee/klee.h>

#include "../../systems/sockets.h"

/* Ends the requests, and reads answers until the server is done too. A server that leaves a request unread breaks the
 * connection off, which is the end as well. Returns how much was read. */
static inline size_t last_answers(int fd, void *buffer, size_t size) {
  size_t done = 0;
  ssize_t more = 1;
  assert(shutdown(fd, SHUT_WR) == 0 || errno == ENOTCONN);
  while (done < size && more > 0) {
    more = read(fd, (char *)buffer + done, size - done);
    if (more > 0) done += more;
  }
  close(fd);
  return done;
}

#endif
