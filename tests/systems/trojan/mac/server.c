/* Passes orders on, and does not look at their codes. */
#include "../../sockets.h"
#include "protocol.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7105);
  for (;;) {
    uint8_t message[SIZE + 1];
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    ssize_t size = recvfrom(fd, message, sizeof message, 0, (struct sockaddr *)&peer, &peer_size);
    if (size != SIZE || !accepts(message)) continue;
    sendto(fd, "k", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: answer
  }
}
