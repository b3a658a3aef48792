/* Counts on a server that is there. */
#include "../../sockets.h"

int main(void) {
  struct sockaddr_in peer = address_of("server", 7000);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0); // mark: there
  char byte;
  assert(read_all(fd, &byte, 1) == 1);
  return 0;
}
