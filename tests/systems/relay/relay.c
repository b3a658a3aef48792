/* Says of a byte whether it is below 100, and passes both on. */
#include "../sockets.h"

int main(void) {
  int in = bound(SOCK_DGRAM, 7000), out = connected(SOCK_DGRAM, "sink", 7000);
  unsigned char message[2];
  assert(recv(in, message, 1, 0) == 1);
  if (message[0] < 100) {
    message[1] = 's';
    assert(write(out, message, 2) == 2);
  } else {
    message[1] = 'l';
    assert(write(out, message, 2) == 2);
  }
  return 0;
}
