/* Votes for whoever asks first, and has that on its disk before it answers. With the argument "early" it says whom it votes
   for before that is on its disk. */
#include <everett.h>
#include <fcntl.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int file = open("vote", O_RDWR);
  char vote = 0;
  assert(file >= 0 && read(file, &vote, 1) >= 0);
  int fd = bound(SOCK_DGRAM, 7000);
  for (;;) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    char candidate;
    assert(recvfrom(fd, &candidate, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    if (vote == 0) {
      vote = candidate;
      if (argc > 1) everett_expose(1, "vote", vote); // mark: vote
      assert(pwrite(file, &vote, 1, 0) == 1);
      assert(fsync(file) == 0);
      if (argc == 1) everett_expose(1, "vote", vote);
    }
    assert(sendto(fd, &vote, 1, 0, (struct sockaddr *)&peer, length) == 1);
  }
}
