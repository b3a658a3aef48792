/* Sends a step or a jump, in two pieces. */
#include <everett.h>

#include "../../sockets.h"
#include "message.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 7120);
  unsigned char body[BODY_MAX], is_jump, answer;
  everett_symbolic(body);
  everett_symbolic(is_jump);
  body[0] = is_jump ? JUMP : STEP;
  unsigned char length = is_jump ? 3 : 2;
  everett_message(body, length);
  write_all(fd, &length, 1);
  write_all(fd, body, length);
  assert(read_all(fd, &answer, 1) == 1);
  close(fd);
  return 0;
}
