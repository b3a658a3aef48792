/* Sends a datagram after 20 ms. */
#include <unistd.h>

#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "receiver", 7000);
  usleep(20000);
  return write(fd, "x", 1) != 1;
}
