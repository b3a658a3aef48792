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
      if (request[0] == 's')
        values[request[1]] = request[2];
      else if (request[0] == 'd')
        values[request[1]] = 0;
      else if (request[0] != 'g')
        break;
      send(fd, &request[0], 1, 0); // mark: answer
    }
    close(fd);
  }
}
