/* A machine that runs tasks. The manager of the cluster has tasks initialised, and the master of a job may have a task
 * killed to make room for another one. Whoever wants a task killed takes it for gone once there is an answer. */
#include "cluster.h"

enum state { NEW, RUNNING, GONE };

static enum state tasks[TASKS];
static int is_taken_for_gone[TASKS];

/* Starts a task. */
static int init(int task) {
  if (tasks[task] != NEW) return REFUSED;
  assert(!is_taken_for_gone[task] && "a task runs although it was killed");
  tasks[task] = RUNNING;
  return STARTED;
}

/* Kills a task. One that is not there needs no killing. */
static int kill_task(int task) {
  is_taken_for_gone[task] = 1;
  if (tasks[task] == RUNNING) {
    tasks[task] = GONE;
    return KILLED;
  }
#ifdef REPAIRED
  tasks[task] = GONE;
#endif
  return UNKNOWN;
}

int main(void) {
  int fd = bound(SOCK_DGRAM, WORKER_PORT);
  for (;;) {
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    struct message message;
    if (recvfrom(fd, &message, sizeof message, 0, (struct sockaddr *)&from, &size) != sizeof message) continue;
    if (message.task < 0 || message.task >= TASKS) continue;
    message.kind = message.kind == INIT ? init(message.task) : kill_task(message.task);
    sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&from, size);
  }
}
