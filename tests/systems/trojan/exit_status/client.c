/* Tells the server to end, with the right password. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7119);
  unsigned char request[2] = {'q', 0x55};
  assert(send(fd, request, sizeof request, 0) == sizeof request);
  return 0;
}
