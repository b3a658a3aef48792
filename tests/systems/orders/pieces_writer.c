/* Writes three bytes, one at a time, with some time in between. */
#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "reader", 5000);
  for (const char *byte = "abc"; *byte; byte++) {
    write_all(fd, byte, 1);
    usleep(1000);
  }
  return 0;
}
