/* Another replica: checks its own code of a request. If that is wrong, it cannot tell whether the client or the first
 * replica is to blame, and asks for another first replica. */
#include <everett.h>

#include "../../../systems/sockets.h"
#include "message.h"

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, PORT), self = atoi(argv[1]);
  for (;;) {
    struct pre_prepare message;
    if (recv(fd, &message, sizeof message, MSG_TRUNC) != sizeof message || message.tag != PRE_PREPARE) continue;
    uint8_t code[CODE_BYTES];
    code_of(&message.request, self, code);
    int is_right = memcmp(code, message.request.codes[self], CODE_BYTES) == 0;
    int next = is_right ? PREPARE : VIEW_CHANGE;
    everett_expose(1, "next", next);
  }
}
