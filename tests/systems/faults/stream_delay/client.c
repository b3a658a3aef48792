/* Sends two messages of two bytes, a second apart. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 7000);
  write_all(fd, "ab", 2);
  sleep(1);
  write_all(fd, "cd", 2);
  return 0;
}
