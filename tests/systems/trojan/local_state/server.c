/* Takes jobs up to the highest priority of the moment, which is raised at night, up to 5. */
#include <everett.h>

#include "../../sockets.h"

static unsigned char highest = 3;

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7122);
  if (argc > 1 && strcmp(argv[1], "any") == 0) {
    everett_symbolic_state(&highest, sizeof highest);
    highest = 3 + highest % 3;
  }
  for (;;) {
    unsigned char priority;
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    if (recvfrom(fd, &priority, 1, MSG_TRUNC, (struct sockaddr *)&peer, &peer_size) != 1) continue;
    if (priority > highest) continue;
    sendto(fd, "k", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: answer
  }
}
