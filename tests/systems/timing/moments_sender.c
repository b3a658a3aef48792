/* Sends a datagram to a port after 20 ms. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc > 1);
  int fd = connected(SOCK_DGRAM, "receiver", atoi(argv[1]));
  usleep(20000);
  return write(fd, "x", 1) != 1;
}
