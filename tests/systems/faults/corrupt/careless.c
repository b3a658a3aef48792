/* Trusts the length in front of a word. */
#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  unsigned char packet[8];
  char word[8];
  assert(read(fd, packet, sizeof packet) == 4);
  memcpy(word, packet + 1, 3);
  word[packet[0]] = 0; // mark: end
  return 0;
}
