/* Sends a byte to a port of the receiver. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  struct sockaddr_in peer = address_of("receiver", atoi(argv[1]));
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(sendto(fd, "a", 1, 0, (struct sockaddr *)&peer, sizeof peer) == 1);
  return 0;
}
