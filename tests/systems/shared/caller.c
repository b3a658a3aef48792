/* Sends its letter, and wants it back. */
#include "../sockets.h"

int main(int argc, char **argv) {
  char letter = 0;
  int fd = connected(SOCK_STREAM, "server", 8080);
  write_all(fd, argv[1], 1);
  assert(read_all(fd, &letter, 1) == 1 && letter == *argv[1]);
  return 0;
}
