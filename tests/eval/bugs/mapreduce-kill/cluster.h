/* The messages to a machine that runs tasks. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "../../../systems/sockets.h"

enum { WORKER_PORT = 7001, TASKS = 1 };
enum { INIT, KILL };
enum { STARTED, KILLED, UNKNOWN, REFUSED };

struct message {
  int kind, task;
};

/* Sends something to the worker. Returns its answer. */
static inline int ask(int fd, int kind, int task) {
  struct message message = {kind, task};
  assert(send(fd, &message, sizeof message, 0) == sizeof message);
  assert(recv(fd, &message, sizeof message, 0) == sizeof message);
  return message.kind;
}

#endif
