/* Sends a byte to the watcher when it was told to. */
#include "../sockets.h"

int main(void) {
  char byte;
  assert(recv(bound(SOCK_DGRAM, 6000), &byte, 1, 0) == 1);
  assert(send(connected(SOCK_DGRAM, "watcher", 5001), &byte, 1, 0) == 1);
  return 0;
}
