/* Asks for the square of a number. */
#include "proxy.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  struct message message = {atoi(argv[1]) + 1, 0};
  int key = message.key, fd = connected(SOCK_STREAM, "proxy", PROXY_PORT);
  write_all(fd, &message, sizeof message);
  assert(read_all(fd, &message, sizeof message) == sizeof message);
  assert(message.value == key * key); // mark: answer
  return 0;
}
