/* Knows how long a message is. */
#include "../../sockets.h"

int main(void) {
  int fd = accept(listening(7000), NULL, NULL);
  char message[2];
  assert(read_all(fd, message, 2) == 2 && message[0] == 'a' && message[1] == 'b');
  assert(read_all(fd, message, 2) == 2 && message[0] == 'c' && message[1] == 'd');
  return 0;
}
