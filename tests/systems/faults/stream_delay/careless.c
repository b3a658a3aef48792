/* Takes what one read gives for one message. */
#include "../../sockets.h"

int main(void) {
  int fd = accept(listening(7000), NULL, NULL);
  char message[8];
  assert(read(fd, message, sizeof message) == 2); // mark: one
  assert(read(fd, message, sizeof message) == 2);
  return 0;
}
