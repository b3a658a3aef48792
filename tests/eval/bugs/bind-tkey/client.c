/* Sends a message whose counts, names and types are symbolic. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 5353);
  unsigned char message[6 + 9] = {0, 1, 0};
  klee_make_symbolic(message + 3, sizeof message - 3, "message");
  assert(send(fd, message, sizeof message, 0) == sizeof message);
  close(fd);
  return 0;
}
