/* Looks for datagrams without waiting, so many times, after a while. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 3);
  int fd = bound(SOCK_DGRAM, 5000), tries = atoi(argv[2]);
  usleep(atoi(argv[1]));
  for (int i = 0; i < tries; i++) {
    char byte;
    ssize_t count = recv(fd, &byte, 1, MSG_DONTWAIT);
    assert(count == 1 || (count == -1 && errno == EAGAIN));
  }
  return 0;
}
