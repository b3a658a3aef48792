/* Sends the state of a counter every second. */
#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "receiver", 7000);
  for (char state = 1; state <= 3; state++) {
    assert(write(fd, &state, 1) == 1);
    sleep(1);
  }
  return 0;
}
