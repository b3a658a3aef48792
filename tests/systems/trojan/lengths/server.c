/* Sets switches. A request that is too short, or too long, is not noticed. */
#include "../../sockets.h"

static unsigned char switches[256];

int main(void) {
  int fd = bound(SOCK_DGRAM, 7118);
  for (;;) {
    unsigned char request[4] = {0};
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    ssize_t size = recvfrom(fd, request, sizeof request, 0, (struct sockaddr *)&peer, &peer_size);
    if (size <= 0 || request[1] > 1) continue;
    switches[request[0]] = request[1];
    sendto(fd, "k", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: answer
  }
}
