/* Gets and increments values, and clears them, which no client does. */
#include "../../sockets.h"

static unsigned char values[256];

int main(void) {
  int fd = bound(SOCK_DGRAM, 7113);
  for (;;) {
    unsigned char request[2];
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    ssize_t size = recvfrom(fd, request, sizeof request, MSG_TRUNC, (struct sockaddr *)&peer, &peer_size);
    if (size != sizeof request) continue;
    switch (request[0]) {
    case 'g':
      sendto(fd, "v", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: got
      break;
    case 'i':
      values[request[1]]++;
      sendto(fd, "i", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: incremented
      break;
    case 'c':
      memset(values, 0, sizeof values);
      sendto(fd, "c", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: cleared
      break;
    }
  }
}
