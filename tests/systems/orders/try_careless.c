/* Looks for datagrams without waiting, and relies on being faster than whoever sends one. */
#include "../sockets.h"

int main(void) {
  char byte;
  int fd = bound(SOCK_DGRAM, 5000);
  ssize_t count = recv(fd, &byte, 1, MSG_DONTWAIT);
  assert(count == -1); // mark: faster
  assert(errno == EAGAIN);
  return 0;
}
