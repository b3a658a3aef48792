/* Serves one client. */
#include "../sockets.h"

int main(void) {
  int peer = accept(listening(7000), NULL, NULL);
  char byte = 0;
  assert(read(peer, &byte, 1) == 1 && byte == 'x');
  return 0;
}
