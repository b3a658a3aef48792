/* A server that is on its way through its code, by timers alone, after it was asked once. */
#include "../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  char byte;
  assert(recv(fd, &byte, 1, 0) == 1);
  sleep(3);
  sleep(3);
  abort(); // mark: end
}
