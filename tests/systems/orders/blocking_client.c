/* Connects to the port of its own, or with `accept` to that of all, and sends its number, counted from 0. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 3);
  unsigned char number = atoi(argv[1]) - 1;
  int fd = connected(SOCK_STREAM, "server", 5000 + (strcmp(argv[2], "accept") == 0 ? 0 : number));
  write_all(fd, &number, 1);
  return 0;
}
