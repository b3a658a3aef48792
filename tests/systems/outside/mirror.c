/* Tells each client the port that it comes from, once it has said all. */
#include "../sockets.h"

int main(void) {
  int listener = listening(7000);
  for (;;) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    int fd = accept(listener, (struct sockaddr *)&peer, &length);
    assert(fd >= 0);
    char said[16];
    read_all(fd, said, sizeof said);
    uint16_t port = ntohs(peer.sin_port);
    write_all(fd, &port, sizeof port);
    close(fd);
  }
}
