/* Looks entries up in a table, and takes any number below 16 for one of them. */
#include "../../sockets.h"

#ifndef LAST
#define LAST 15
#endif

static const unsigned char table[8] = {2, 3, 5, 7, 11, 13, 17, 19};

int main(void) {
  int fd = bound(SOCK_DGRAM, 6115);
  for (;;) {
    unsigned char entry;
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    ssize_t size = recvfrom(fd, &entry, 1, MSG_TRUNC, (struct sockaddr *)&peer, &peer_size);
    if (size != 1 || entry > LAST) continue;
    unsigned char answer = table[entry]; // mark: lookup
    sendto(fd, &answer, 1, 0, (struct sockaddr *)&peer, peer_size);
  }
}
