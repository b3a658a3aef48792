// A struct with padding is sent: the padding tells the receiver what was on the stack.
//@ args: --check uninitialized
#include <string.h>
#include <sys/socket.h>

struct message { char kind; int length; };

int main(void) {
  int ends[2];
  volatile struct message m;
  m.kind = 1;
  m.length = 2;
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends))
    return 1;
  if (send(ends[0], (void *)&m, sizeof m, 0) != sizeof m) // expect: bug information-leak
    // expect: message contains "sendto hands out the byte at offset 1 of local variable 'm' of 8 bytes"
    return 2;
  return 0;
}
