/* Executes steps and jumps, and does not hold their kind against their length. */
#include <everett.h>

#include "../../sockets.h"
#include "message.h"

/* Reads the body of the next request, and returns its length, or 0 if there is none. */
static unsigned char read_body(int fd, unsigned char body[BODY_MAX]) {
  unsigned char length;
  if (read_all(fd, &length, 1) != 1 || length < 2 || length > BODY_MAX) return 0;
  if (read_all(fd, body, length) != length) return 0;
  everett_message(body, length);
  return length;
}

int main(void) {
  int listener = listening(7120);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    unsigned char body[BODY_MAX];
    while (read_body(fd, body) > 0) {
      if (body[0] != STEP && body[0] != JUMP) break;
      send(fd, "k", 1, 0); // mark: answer
    }
    close(fd);
  }
}
