/* Tells another server every second that it is still there. */
#include <poll.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  int fd = bound(SOCK_DGRAM, 7000);
  struct sockaddr_in peer = address_of(argv[1], 7000);
  struct pollfd wanted = {fd, POLLIN, 0};
  for (;;) {
    char byte;
    if (poll(&wanted, 1, 1000) == 1) assert(recv(fd, &byte, 1, 0) == 1);
    else assert(sendto(fd, "!", 1, 0, (struct sockaddr *)&peer, sizeof peer) == 1);
  }
}
