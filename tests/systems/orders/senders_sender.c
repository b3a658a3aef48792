/* Sends its number, counted from 0. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  unsigned char number = atoi(argv[1]) - 1;
  int fd = connected(SOCK_DGRAM, "collector", 5000);
  assert(send(fd, &number, 1, 0) == 1);
  return 0;
}
