/* Computes for ever on a request that it should refuse. */
#include "../sockets.h"

static int steps(unsigned char n) {
  volatile int done = 0;
  while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2, done++; // mark: loop
  return done;
}

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  for (;;) {
    unsigned char n;
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    assert(recvfrom(fd, &n, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    n = steps(n);
    sendto(fd, &n, 1, 0, (struct sockaddr *)&peer, length);
  }
}
