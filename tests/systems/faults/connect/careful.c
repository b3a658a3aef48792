/* Tries again with another socket. */
#include "../../sockets.h"

int main(void) {
  struct sockaddr_in peer = address_of("server", 7000);
  for (int attempt = 1; attempt <= 2; attempt++) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0) {
      char byte;
      assert(read_all(fd, &byte, 1) == 1);
      return 0;
    }
    assert(errno == ECONNREFUSED || errno == ETIMEDOUT);
    close(fd);
  }
  assert(!"connected");
}
