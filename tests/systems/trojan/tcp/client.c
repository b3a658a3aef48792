/* Sets a value under a key, or gets it, on a connection. */
#include <everett.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 7114);
  unsigned char request[3] = {0}, is_set, answer;
  everett_symbolic(is_set);
  klee_make_symbolic(&request[1], 1, "key");
  if (is_set) {
    request[0] = 's';
    klee_make_symbolic(&request[2], 1, "value");
  } else {
    request[0] = 'g';
  }
  write_all(fd, request, sizeof request);
  assert(read_all(fd, &answer, 1) == 1);
  close(fd);
  return 0;
}
