/* Increments the value of a key below 128: the upper half belongs to the server. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  unsigned char request[2] = {'i'}, answer;
  klee_make_symbolic(&request[1], 1, "key");
  if (request[1] >= 128) return 0;
  int fd = connected(SOCK_DGRAM, "server", 7113);
  assert(send(fd, request, sizeof request, 0) == sizeof request);
  assert(recv(fd, &answer, 1, 0) == 1);
  return 0;
}
