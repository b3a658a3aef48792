/* Sends one of three commands. */
#include <everett.h>

#include "../../sockets.h"
#include "protocol.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7101);
  uint8_t input[INPUTS], message[SIZE], answer;
  klee_make_symbolic(input, sizeof input, "input");
  if (!compose(input, message)) return 0;
  assert(send(fd, message, sizeof message, 0) == sizeof message);
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
