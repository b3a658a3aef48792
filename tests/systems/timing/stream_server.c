/* Sends back what it reads. */
#include "../sockets.h"

int main(void) {
  int peer = accept(listening(7000), NULL, NULL);
  char bytes[4];
  assert(read_all(peer, bytes, sizeof bytes) == sizeof bytes);
  write_all(peer, bytes, sizeof bytes);
  return 0;
}
