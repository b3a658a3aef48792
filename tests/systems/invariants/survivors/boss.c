/* Asks its users what to do, and fails if they ask for too much. Otherwise it waits for work. */
#include <klee/klee.h>

#include "../../sockets.h"

int main(void) {
  unsigned char wish;
  klee_make_symbolic(&wish, sizeof wish, "wish");
  int fd = bound(SOCK_DGRAM, 5000);
  if (wish > 100) abort(); // mark: quits
  char work;
  recv(fd, &work, 1, 0);
  return 0;
}
