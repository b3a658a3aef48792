/* Wants a vote, the second candidate 15 seconds later. Asks again if there is no answer for 20 seconds. */
#include <poll.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  char name = argv[1][0], vote;
  if (name == 'b') sleep(15);
  int fd = connected(SOCK_DGRAM, "voter", 7000);
  struct pollfd answer = {fd, POLLIN, 0};
  do {
    assert(write(fd, &name, 1) == 1);
  } while (poll(&answer, 1, 20000) == 0);
  assert(read(fd, &vote, 1) == 1);
  return 0;
}
