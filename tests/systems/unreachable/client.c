/* Tries addresses that nobody has. */
#include "../sockets.h"

static int failure(int type, const char *address) {
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = inet_addr(address)};
  int fd = socket(AF_INET, type, 0), error = 0;
  if (connect(fd, (struct sockaddr *)&peer, sizeof peer) < 0) error = errno;
  if (!error && type == SOCK_DGRAM) {
    char byte;
    assert(write(fd, "x", 1) == 1);
    assert(read(fd, &byte, 1) == -1);
    error = errno;
  }
  close(fd);
  return error;
}

int main(void) {
  assert(failure(SOCK_STREAM, "10.0.0.99") == EHOSTUNREACH);
  assert(failure(SOCK_DGRAM, "10.0.0.99") == EHOSTUNREACH);
  assert(failure(SOCK_STREAM, "192.168.1.1") == ENETUNREACH);
  assert(failure(SOCK_DGRAM, "192.168.1.1") == ENETUNREACH);
  return 0;
}
