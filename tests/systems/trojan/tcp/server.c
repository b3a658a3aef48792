/* Sets, gets and deletes values. The connection is closed after a request that is none. */
#include "../../sockets.h"

static unsigned char values[256];

int main(void) {
  int listener = listening(7114);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    unsigned char request[3];
    while (read_all(fd, request, sizeof request) == sizeof request) {
      if (request[0] == 's') {
        values[request[1]] = request[2];
        send(fd, "s", 1, 0); // mark: set
      } else if (request[0] == 'g') {
        send(fd, "v", 1, 0); // mark: got
      } else if (request[0] == 'd') {
        values[request[1]] = 0;
        send(fd, "d", 1, 0); // mark: deleted
      } else {
        break;
      }
    }
    close(fd);
  }
}
