/* Sends a word with its length in front. */
#include "../../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 7000);
  write_all(fd, "\3abc", 4);
  return 0;
}
