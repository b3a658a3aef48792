/* Asks once. With the argument "patient" it waits for the answer, however long it takes. */
#include <poll.h>

#include "../../sockets.h"

int main(int argc, char **argv) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  struct pollfd wanted = {fd, POLLIN, 0};
  char byte = 1;
  assert(write(fd, &byte, 1) == 1);
  if (argc == 1 && poll(&wanted, 1, 5000) == 0) return 0;
  assert(read(fd, &byte, 1) == 1); // mark: answer
  return 0;
}
