/* Gets the value of any key. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7113);
  unsigned char request[2] = {'g'}, answer;
  klee_make_symbolic(&request[1], 1, "key");
  assert(send(fd, request, sizeof request, 0) == sizeof request);
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
