/* Grants a right for five seconds ("g") to those who then use it ("u"). With the argument "check" it does not
   believe that they still have it. */
#include <time.h>

#include "../../sockets.h"

static time_t now(void) {
  struct timespec time;
  assert(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
  return time.tv_sec;
}

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7000);
  time_t granted = 0;
  for (;;) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    char byte;
    assert(recvfrom(fd, &byte, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    if (byte == 'g') {
      granted = now();
    } else {
      int late = now() - granted > 5;
      if (argc == 1) assert(!late); // mark: late
      byte = late ? 'n' : 'y';
    }
    assert(sendto(fd, &byte, 1, 0, (struct sockaddr *)&peer, length) == 1);
  }
}
