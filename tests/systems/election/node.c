/* Chang and Roberts: each node sends its number around a ring; a node passes on what is larger than its own, and who
 * gets its own number back is the leader and tells the others. Numbers are symbolic, but for their last digit, which
 * makes them differ. */
#include <klee/klee.h>

#include "../sockets.h"

struct message {
  unsigned char elected, number;
};

int main(int argc, char **argv) {
  int self = atoi(argv[1]), n = atoi(argv[2]);
  char next[16];
  snprintf(next, sizeof next, "node%d", self % n + 1);
  struct sockaddr_in peer = address_of(next, 4000);
  int fd = bound(SOCK_DGRAM, 4000);
  unsigned char number;
  klee_make_symbolic(&number, 1, "number");
  number = (number & ~3) | self;

  struct message message = {0, number};
  assert(sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, sizeof peer) == sizeof message);
  for (;;) {
    assert(recv(fd, &message, sizeof message, 0) == sizeof message);
    if (message.elected) {
      /* The leader's number is nowhere smaller than ours. */
      assert(message.number >= number);
      if (message.number == number) return 0;
      sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, sizeof peer);
      return 0;
    }
    if (message.number < number) continue;
    if (message.number == number) message.elected = 1;
    sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, sizeof peer);
  }
}
