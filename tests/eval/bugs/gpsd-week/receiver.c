/* Sends one packet, with a symbolic week, second and number of leap seconds. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "daemon", 2947);
  unsigned char packet[10] = {0xb5, 0x20};
  klee_make_symbolic(packet + 2, 7, "time");
  for (int i = 0; i < 9; i++) packet[9] += packet[i];
  assert(send(fd, packet, sizeof packet, 0) == sizeof packet);
  close(fd);
  return 0;
}
