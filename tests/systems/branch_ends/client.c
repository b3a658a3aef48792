/* Sends an index that can be anything. */
#include <klee/klee.h>

#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  unsigned char index;
  klee_make_symbolic(&index, sizeof index, "index");
  assert(write(fd, &index, 1) == 1);
  return 0;
}
