/* Adds up two numbers, and waits again if there was none. */
#include <fcntl.h>
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000), sum = 0, vain = 0;
  assert(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
  for (int got = 0; got < 2;) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char number = 0;
    assert(poll(&ready, 1, -1) == 1);
    ssize_t size = recv(fd, &number, 1, 0);
    if (size < 0) {
      assert(errno == EAGAIN);
      vain++;
      continue;
    }
    sum += number;
    got++;
  }
  assert(sum == 3 && vain == 1);
  return 0;
}
