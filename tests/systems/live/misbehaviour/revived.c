/* Connects again when the peer has died, until it is there: at once, if the machine is that busy. */
#include "refused.h"

int main(void) {
  char text[64];
  int fd = connected(SOCK_STREAM, "peer", 7000), attempts = 0;
  assert(ask(fd, "one\n", text, sizeof text) > 0);
  assert(ask(fd, "two\n", text, sizeof text) == -1);
  close(fd);
  for (int error; (error = error_of_connect()) != 0; attempts++) {
    assert(error == ECONNREFUSED);
    assert(attempts < 200000);
    sleep(1);
  }
  fd = connected(SOCK_STREAM, "peer", 7000);
  assert(ask(fd, "three\n", text, sizeof text) > 0);
  close(fd);
  return 0;
}
