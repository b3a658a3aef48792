/* A connection takes a round trip, and so does an answer. */
#include "../sockets.h"
#include "clock.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  long trip = atol(argv[1]), begin = now_ms();
  int fd = connected(SOCK_STREAM, "server", 7000);
  assert(now_ms() == begin + trip);
  char bytes[4] = "abc";
  write_all(fd, bytes, sizeof bytes);
  assert(now_ms() == begin + trip);
  assert(read_all(fd, bytes, sizeof bytes) == sizeof bytes);
  assert(now_ms() == begin + 2 * trip);
  assert(read(fd, bytes, 1) == 0);
  assert(now_ms() == begin + 2 * trip);
  return 0;
}
