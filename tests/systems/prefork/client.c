/* Sends as many bytes as its number says. */
#include "../sockets.h"

int main(int argc, char **argv) {
  size_t size = atoi(argv[1]);
  char line[16];
  int fd = connected(SOCK_STREAM, "server", 8080);
  write_all(fd, "abcdefgh", size);
  assert(read_all(fd, line, sizeof line) == size);
  assert(memcmp(line, "abcdefgh", size) == 0);
  return 0;
}
