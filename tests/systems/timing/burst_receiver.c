/* They come as fast as the network carries them. */
#include "../sockets.h"
#include "clock.h"

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7000);
  char bytes[1000];
  for (int i = 1; i <= 3; i++) {
    assert(argc == 4 && read(fd, bytes, sizeof bytes) == sizeof bytes);
    assert(now_ms() == atol(argv[i]));
  }
  return 0;
}
