/* Passes a token around a ring of datagram sockets. The token counts its hops.
 * Arguments: the number of this node, of how many, how many rounds, and whether it may lose the token. */
#include <klee/klee.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  int self = atoi(argv[1]), n = atoi(argv[2]), rounds = atoi(argv[3]), unreliable = atoi(argv[4]) == self;
  char next[16];
  snprintf(next, sizeof next, "node%d", self % n + 1);
  struct sockaddr_in peer = address_of(next, 4000);
  int fd = bound(SOCK_DGRAM, 4000);
  int token = 0;
  for (int round = 0; round < rounds; round++) {
    if (self > 1 || round > 0) {
      assert(recv(fd, &token, sizeof token, 0) == sizeof token); // mark: token
      assert(token == round * n + self - 1);
    }
    token++;
    if (unreliable && round == 1) {
      char loses;
      klee_make_symbolic(&loses, 1, "loses");
      if (loses) continue;
    }
    assert(sendto(fd, &token, sizeof token, 0, (struct sockaddr *)&peer, sizeof peer) == sizeof token);
  }
  if (self == 1) assert(recv(fd, &token, sizeof token, 0) == sizeof token && token == rounds * n); // mark: home
  return 0;
}
