// A struct with padding is cleared before it is filled and sent.
//@ args: --check uninitialized
//@ native: yes
#include <string.h>
#include <sys/socket.h>

struct message { char kind; int length; };

int main(void) {
  int ends[2];
  struct message m;
  memset(&m, 0, sizeof m);
  m.kind = 1;
  m.length = 2;
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends))
    return 1;
  if (send(ends[0], &m, sizeof m, 0) != sizeof m)
    return 2;
  return 0;
}
