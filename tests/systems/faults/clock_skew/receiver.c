/* Receives a message at once, and so before it is too late. With the argument "tolerant", clocks may differ by two
   minutes. */
#include <stdint.h>
#include <time.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7000);
  int64_t until;
  assert(read(fd, &until, sizeof until) == sizeof until);
  assert(time(NULL) <= until + (argc > 1 ? 120 : 0)); // mark: good
  return 0;
}
