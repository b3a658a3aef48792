// A call that receives cuts a length that no object can have, also one that was negative.
#include "../check.h"
#include <sys/socket.h>

// Linux cuts lengths to two gigabytes, which do not always fit behind the stack.
static char buffer[64];

int main(void) {
  int pair[2], packets[2];
  char text[] = "twelve bytes";
  volatile size_t half = (size_t)1 << 63, most = (size_t)-1, large = (size_t)1 << 40;
  OK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  OK(socketpair(AF_UNIX, SOCK_DGRAM, 0, packets));

  SHOW(write(pair[1], text, 12));
  SHOW(recv(pair[0], buffer, half + 2, MSG_PEEK));
  SHOW(recv(pair[0], buffer, most, MSG_PEEK));
  SHOW(recv(pair[0], buffer, large, MSG_PEEK));
  SHOW(recv(pair[0], buffer, half, 0));
  printf("%s\n", buffer);

  SHOW(write(packets[1], text, 6));
  SHOW(recv(packets[0], buffer, most, 0));
  return 0;
}
