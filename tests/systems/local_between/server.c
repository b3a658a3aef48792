/* Serves two clients, one after the other, at a UNIX socket at which one of them can wait. */
#include <klee/klee.h>

#include "local.h"

#ifndef STOCK
#define STOCK 4
#endif

int main(void) {
  struct sockaddr_un address = local_address("/tmp/shop.sock");
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
  assert(listen(listener, 0) == 0);
  int sold = 0;
  for (int client = 0; client < 2; client++) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    unsigned char count;
    assert(read_all(fd, &count, 1) == 1);
    sold += count;
    assert(sold <= STOCK); // mark: stock
    write_all(fd, &count, 1);
    close(fd);
  }
  close(listener);
  return 0;
}
