/* Takes levels up to 7, whenever they were measured. */
#include "../../sockets.h"

struct report {
  unsigned char seconds, level;
};

int main(void) {
  int fd = bound(SOCK_DGRAM, 7124);
  for (;;) {
    struct report report;
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    ssize_t size = recvfrom(fd, &report, sizeof report, MSG_TRUNC, (struct sockaddr *)&peer, &peer_size);
    if (size != sizeof report || report.level > 7) continue;
    sendto(fd, "k", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: answer
  }
}
