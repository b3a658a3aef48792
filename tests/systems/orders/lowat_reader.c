/* Waits until four bytes are there, and looks at them before it takes them. */
#include "../sockets.h"

int main(int argc, char **argv) {
  int peer = accept(listening(7000), NULL, NULL), least = 4;
  char bytes[4];
  if (argc > 1) {
    assert(setsockopt(peer, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least) == 0);
    assert(recv(peer, bytes, 4, 0) == 4 && memcmp(bytes, "abcd", 4) == 0);
  } else {
    assert(recv(peer, bytes, 4, MSG_PEEK | MSG_WAITALL) == 4 && memcmp(bytes, "abcd", 4) == 0);
  }
  return 0;
}
