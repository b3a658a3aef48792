/* A container that was started for a task. It asks for the task until there is one, as the master may not be ready,
 * and runs it. The master is ready within a few seconds. */
#include "cluster.h"

enum { TRIES = 5 };

int main(void) {
  int fd = connected(SOCK_DGRAM, "master", MASTER_PORT), tries = 0, answer;
  while ((answer = ask(fd, GET_TASK)) == NO_TASK) {
    assert(++tries < TRIES && "a container waits for a task that never comes");
    sleep(1);
  }
  if (answer == TASK) ask(fd, DONE);
  close(fd);
  return 0;
}
