/* Commits when it is told to, and expects to be told. */
#include <sys/time.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  char commit = 0;
  struct timeval patience = {.tv_sec = 5};
  assert(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
  recv(fd, &commit, 1, 0);
  assert(commit == 1); // mark: commit
  return 0;
}
