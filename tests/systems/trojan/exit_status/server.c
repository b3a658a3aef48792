/* Ends with 0 when it is told to, and with 1 when the password is wrong; only its lower half is compared. */
#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7119);
  for (;;) {
    unsigned char request[2];
    if (recv(fd, request, sizeof request, MSG_TRUNC) != sizeof request || request[0] != 'q') continue;
    if ((request[1] & 0xf) != 0x5) return 1;
    return 0; // mark: end
  }
}
