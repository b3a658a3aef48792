/* Receives two datagrams. */
#include "../sockets.h"

int main(void) {
  char bytes[2];
  int fd = bound(SOCK_DGRAM, 5000);
  for (int i = 0; i < 2; i++) assert(recv(fd, &bytes[i], 1, 0) == 1);
  assert(bytes[0] != bytes[1]);
  return 0;
}
