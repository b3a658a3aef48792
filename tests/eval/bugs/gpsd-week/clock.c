/* Sets its clock after what the daemon tells. Nobody is in a year before the software was built. */
#include <stdint.h>

#include "../../../systems/sockets.h"

enum { SECONDS_A_WEEK = 7 * 24 * 60 * 60 };

int main(void) {
  int fd = bound(SOCK_DGRAM, 1123);
  for (;;) {
    int64_t time, build_time = 1609459200;
    assert(recv(fd, &time, sizeof time, 0) == sizeof time);
    assert(time > build_time - SECONDS_A_WEEK - 60);
  }
}
