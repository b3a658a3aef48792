/* The messages of a small cluster that runs tasks. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "../../../systems/sockets.h"

enum { MASTER_PORT = 7001 };
enum { GET_TASK, TASK, NO_TASK, CANCELLED, DONE, CANCEL, CONFIRMED };

struct message {
  int kind;
};

/* Asks the master something. Returns the kind of its answer. */
static inline int ask(int fd, int kind) {
  struct message message = {kind};
  assert(send(fd, &message, sizeof message, 0) == sizeof message);
  assert(recv(fd, &message, sizeof message, 0) == sizeof message);
  return message.kind;
}

#endif
