/* Looks at the length in front of a word. */
#include "../../sockets.h"

int main(void) {
  int peer = accept(listening(7000), NULL, NULL);
  unsigned char packet[4];
  char word[8];
  assert(read_all(peer, packet, sizeof packet) == sizeof packet);
  memcpy(word, packet + 1, 3);
  if (packet[0] < sizeof word) word[packet[0]] = 0;
  return 0;
}
