/* Sends three datagrams of a thousand bytes at once. */
#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "receiver", 7000);
  char bytes[1000] = {0};
  for (int i = 0; i < 3; i++) assert(write(fd, bytes, sizeof bytes) == sizeof bytes);
  return 0;
}
