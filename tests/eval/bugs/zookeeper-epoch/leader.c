/* A leader that has been elected in some epoch, and brings its follower up to date with two changes. If it hears
 * nothing for some time, it tries again. */
#include <everett.h>
#include <poll.h>

#include "../../../systems/sockets.h"

enum { EPOCH_BITS = 8, PATIENCE_MS = 20000 };

struct snapshot {
  unsigned last_change, data;
};

/* Tells the follower of a change. Returns whether it was confirmed. */
static int tell(int fd, const struct snapshot *snapshot) {
  char answer;
  struct pollfd ready = {.fd = fd, .events = POLLIN};
  if (send(fd, snapshot, sizeof *snapshot, MSG_NOSIGNAL) != sizeof *snapshot) return 0;
  return poll(&ready, 1, PATIENCE_MS) == 1 && read(fd, &answer, 1) == 1;
}

int main(void) {
  unsigned char epoch;
  everett_faults(0); /* only those of the follower matter */
  klee_make_symbolic(&epoch, sizeof epoch, "epoch");
  struct snapshot snapshot = {.last_change = epoch << EPOCH_BITS, .data = 1};
  for (int confirmed = 0, tries = 0; confirmed < 2 && tries < 3; tries++) {
    int fd = connected(SOCK_STREAM, "follower", 2888);
    while (confirmed < 2 && tell(fd, &snapshot)) {
      confirmed++;
      snapshot.last_change++;
      snapshot.data++;
    }
    close(fd);
  }
  return 0;
}
