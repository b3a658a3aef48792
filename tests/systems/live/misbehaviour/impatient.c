/* Waits for an answer for ten seconds, and then takes it that there is none. */
#include <poll.h>

#include "line.h"

int main(void) {
  char text[64];
  int fd = connected(SOCK_STREAM, "peer", 7000);
  struct pollfd wanted = {fd, POLLIN, 0};
  write_all(fd, "yes\n", 4);
  assert(poll(&wanted, 1, 10000) == 1); // mark: silence
  assert(receive_line(fd, text, sizeof text) > 0);
  close(fd);
  return 0;
}
