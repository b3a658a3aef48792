/* Votes as a symbolic input says, and tells invariants what it was told to do. With an argument it branches on its
 * vote; otherwise all votes are one world. */
#include <everett.h>
#include <poll.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  int fd = connected(SOCK_DGRAM, "coordinator", 5000);
  char vote, told;
  klee_make_symbolic(&vote, 1, "vote");
  vote = 'n' + ('y' - 'n') * (vote != 0);
  if (argc > 1 && vote == 'y') puts("yes");
  assert(send(fd, &vote, 1, 0) == 1);
  struct pollfd answer = {.fd = fd, .events = POLLIN};
  if (poll(&answer, 1, 1000) == 0) return 0;
  assert(recv(fd, &told, 1, 0) == 1);
  int committed = told == 'c';
  everett_expose(1, "decision", committed); // mark: told
  return 0;
}
