/* Two-phase commit with two committers. The first failure to send ends the coordinator; with an argument it first takes
 * back what it has said. */
#include <everett.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  everett_faults(0);
  int fd = bound(SOCK_DGRAM, 5000), votes = 0;
  struct sockaddr_in from[2];
  for (int i = 0; i < 2; i++) {
    char vote;
    socklen_t size = sizeof from[i];
    assert(recvfrom(fd, &vote, 1, 0, (struct sockaddr *)&from[i], &size) == 1);
    votes += vote == 'y';
  }
  const char *decision = votes == 2 ? "commit" : "abort";
  for (int i = 0; i < 2; i++) {
    everett_faults(1);
    ssize_t sent = sendto(fd, decision, strlen(decision), 0, (struct sockaddr *)&from[i], sizeof from[i]);
    everett_faults(0);
    if (sent >= 0) continue;
    for (int told = 0; argc > 1 && told < i; told++)
      sendto(fd, "abort", 5, 0, (struct sockaddr *)&from[told], sizeof from[told]);
    return 0;
  }
  return 0;
}
