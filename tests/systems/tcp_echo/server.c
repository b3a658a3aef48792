/* Serves one connection after the other: sends back what comes until the client is done. */
#include "../sockets.h"

int main(void) {
  int listener = listening(7000);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    char buffer[4096];
    ssize_t size;
    while ((size = read(fd, buffer, sizeof buffer)) > 0)
      write_all(fd, buffer, size); // mark: writes
    assert(size == 0);
    assert(close(fd) == 0);
  }
}
