/* Sends a byte, if it can connect within two minutes. */
#include "../../sockets.h"

int main(void) {
  struct sockaddr_in peer = address_of("server", 7000);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0) {
    write_all(fd, "x", 1);
  } else {
    assert(errno == ETIMEDOUT);
  }
  return 0;
}
