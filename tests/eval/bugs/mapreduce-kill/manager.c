/* The manager of the cluster, which has all tasks initialised. */
#include "cluster.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "worker", WORKER_PORT);
  for (int task = 0; task < TASKS; task++) {
    int answer = ask(fd, INIT, task);
    assert(answer == STARTED || answer == REFUSED);
  }
  close(fd);
  return 0;
}
