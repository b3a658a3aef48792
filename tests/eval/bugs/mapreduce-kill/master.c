/* The master of a job, which may want a task killed. */
#include <klee/klee.h>

#include "cluster.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "worker", WORKER_PORT);
  unsigned char task;
  klee_make_symbolic(&task, 1, "task");
  if (task < TASKS) {
    int answer = ask(fd, KILL, task);
    assert(answer == KILLED || answer == UNKNOWN);
  }
  close(fd);
  return 0;
}
