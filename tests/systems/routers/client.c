/* Arguments: a time to live, and what should be left of it at the server; 0 if it never gets there. */
#include "../sockets.h"

int main(int argc, char **argv) {
  int ttl = atoi(argv[1]), expected = atoi(argv[2]), left = 0;
  int fd = connected(SOCK_DGRAM, "server", 7000);
  assert(setsockopt(fd, IPPROTO_IP, IP_TTL, &ttl, sizeof ttl) == 0);
  assert(write(fd, "x", 1) == 1);
  ssize_t size = read(fd, &left, sizeof left);
  if (expected == 0) {
    assert(size == -1 && errno == EHOSTUNREACH);
  } else {
    assert(size == sizeof left);
    assert(left == expected);
  }
  return 0;
}
