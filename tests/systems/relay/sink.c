/* Tells the source what its byte is, as far as the relay said and as it sees itself. */
#include "../sockets.h"

int main(void) {
  int in = bound(SOCK_DGRAM, 7000), out = connected(SOCK_DGRAM, "source", 7001);
  unsigned char message[2];
  assert(recv(in, message, 2, 0) == 2);
  assert((message[1] == 's') == (message[0] < 100));
  if (message[1] == 's' && message[0] < 50)
    assert(write(out, "t", 1) == 1);
  else
    assert(write(out, &message[1], 1) == 1);
  return 0;
}
