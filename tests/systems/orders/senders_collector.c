/* Receives one datagram from each sender, in whatever order they come. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  int n = atoi(argv[1]), fd = bound(SOCK_DGRAM, 5000), seen = 0;
  for (int i = 0; i < n; i++) {
    unsigned char number;
    assert(recv(fd, &number, 1, 0) == 1);
    assert(number < n && !(seen & 1 << number));
    seen |= 1 << number;
  }
  assert(seen == (1 << n) - 1);
  return 0;
}
