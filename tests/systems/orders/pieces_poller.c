/* Reads three bytes that come in pieces, each time as many as there are, when `poll` says that there are some. */
#include "../sockets.h"
#include <poll.h>

int main(void) {
  char bytes[3];
  struct pollfd side = {accept(listening(5000), NULL, NULL), POLLIN, 0};
  for (int read_so_far = 0; read_so_far < 3;) {
    assert(poll(&side, 1, -1) == 1);
    ssize_t count = read(side.fd, bytes + read_so_far, sizeof bytes - read_so_far);
    assert(count > 0);
    read_so_far += count;
  }
  assert(memcmp(bytes, "abc", 3) == 0);
  return 0;
}
