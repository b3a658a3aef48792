/* Asks for what is there, and for what is not. */
#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  unsigned char there = 2, nowhere = 9;
  char answer[5];
  assert(write(fd, &there, 1) == 1 && read(fd, answer, 5) == 5 && memcmp(answer, "three", 5) == 0);
  assert(write(fd, &nowhere, 1) == 1 && read(fd, answer, 5) == 5);
  if (answer[0] == 't') puts("three");
  return 0;
}
