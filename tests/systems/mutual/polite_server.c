/* Waits for a request on each connection. */
#include "../sockets.h"

int main(void) {
  int listener = listening(7000), fd = accept(listener, NULL, NULL);
  char request[8];
  assert(read(fd, request, sizeof request) > 0); // mark: request
  return 0;
}
