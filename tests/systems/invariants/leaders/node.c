/* Elects the node with the highest number: all tell all others their numbers, and who has heard of no higher one within a
 * second leads. With an argument, a node that has not heard of everybody does not stand. */
#include <everett.h>
#include <poll.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int self = atoi(argv[1]), n = atoi(argv[2]), careful = argc > 3, heard = 0, highest = 1;
  int fd = bound(SOCK_DGRAM, 4000);
  for (int other = 1; other <= n; other++) {
    char name[16], number = self;
    snprintf(name, sizeof name, "node%d", other);
    struct sockaddr_in to = address_of(name, 4000);
    if (other != self) assert(sendto(fd, &number, 1, 0, (struct sockaddr *)&to, sizeof to) == 1);
  }
  struct pollfd news = {.fd = fd, .events = POLLIN};
  while (poll(&news, 1, 1000) == 1) {
    char number;
    assert(recv(fd, &number, 1, 0) == 1);
    heard++;
    if (number > self) highest = 0;
  }
  if (highest && (!careful || heard == n - 1)) {
    int term = 1;
    klee_invariant_expose_data(term, "leader", &self, sizeof self); // mark: leads
  }
  return 0;
}
