/* Tells the asker something after two seconds. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "asker", 7000);
  sleep(2);
  return write(fd, "o", 1) != 1;
}
