/* Takes the server for granted, or tries again every 100 ms. */
#include "../sockets.h"
#include "clock.h"

int main(int argc, char **argv) {
  struct sockaddr_in peer = address_of("server", 7000);
  for (;;) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0) {
      assert(write(fd, "x", 1) == 1);
      assert(now_ms() == (argc > 1 ? 300 : 0));
      return 0;
    }
    assert(errno == ECONNREFUSED && argc > 1); // mark: refused
    close(fd);
    usleep(100000);
  }
}
