/* Connects, and exits. */
#include "../../sockets.h"

int main(void) {
  connected(SOCK_STREAM, "server", 7000);
  return 0;
}
