/* Sends a byte to the watcher, and one to the node that sends after it. */
#include "../sockets.h"

int main(void) {
  assert(send(connected(SOCK_DGRAM, "watcher", 5000), "a", 1, 0) == 1);
  assert(send(connected(SOCK_DGRAM, "second", 6000), "b", 1, 0) == 1);
  return 0;
}
