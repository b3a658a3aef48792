/* Waits for the server's banner. */
#include "../sockets.h"

int main(void) {
  char banner[8];
  int fd = connected(SOCK_STREAM, "server", 7000);
  assert(read(fd, banner, sizeof banner) > 0); // mark: banner
  return 0;
}
