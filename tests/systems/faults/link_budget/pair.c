/* Greets the other side, and listens for its greeting for a while. */
#include <sys/time.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7000);
  struct timeval patience = {5, 0};
  assert(argc > 1);
  struct sockaddr_in peer = address_of(argv[1], 7000);
  assert(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
  char byte = 1;
  assert(sendto(fd, &byte, 1, 0, (struct sockaddr *)&peer, sizeof peer) == 1);
  recv(fd, &byte, 1, 0);
  return 0;
}
