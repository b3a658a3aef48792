/* The master of a job: a container asks it for its task, and a client may cancel the task. Answers go back to where a
 * question has come from. */
#include "cluster.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, MASTER_PORT);
  enum { PENDING, FINISHED, KILLED } task = PENDING;
  for (;;) {
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    struct message message;
    if (recvfrom(fd, &message, sizeof message, 0, (struct sockaddr *)&from, &size) != sizeof message) continue;
    switch (message.kind) {
    case GET_TASK:
      message.kind = task == PENDING ? TASK : NO_TASK;
#ifdef REPAIRED
      if (task == KILLED) message.kind = CANCELLED;
#endif
      break;
    case DONE:
      task = FINISHED;
      message.kind = CONFIRMED;
      break;
    case CANCEL:
      if (task == PENDING) task = KILLED;
      message.kind = CONFIRMED;
      break;
    default:
      continue;
    }
    sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&from, size);
  }
}
