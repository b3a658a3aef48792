/* Sends a message that is good for half a minute: it says until when. */
#include <stdint.h>
#include <time.h>

#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "receiver", 7000);
  int64_t until = time(NULL) + 30;
  assert(write(fd, &until, sizeof until) == sizeof until);
  return 0;
}
