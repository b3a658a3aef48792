/* Waits until everybody is there, says hello, and leaves when it has heard all others. */
#include "../sockets.h"

int main(int argc, char **argv) {
  int self = atoi(argv[1]), n = atoi(argv[2]), heard = 1 << self;
  int fd = connected(SOCK_STREAM, "server", 6667);
  char byte;
  assert(read_all(fd, &byte, 1) == 1 && byte == '!');
  byte = 'a' + self;
  write_all(fd, &byte, 1);
  for (int i = 1; i < n; i++) {
    assert(read_all(fd, &byte, 1) == 1);
    assert(!(heard & 1 << (byte - 'a')));
    heard |= 1 << (byte - 'a');
  }
  assert(heard == (1 << (n + 1)) - 2);
  return 0;
}
