/* Asks each server that its arguments name, once, or up to as often as the first argument says. */
#include <klee/klee.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc > 1);
  int times = klee_range(1, atoi(argv[1]) + 1, "times");
  for (int i = 2; i < argc; i++) {
    int fd = connected(SOCK_DGRAM, argv[i], 7000);
    for (int asked = 0; asked < times; asked++) {
      char answer;
      assert(write(fd, "?", 1) == 1);
      assert(read(fd, &answer, 1) == 1 && answer == '?');
    }
    close(fd);
  }
  return 0;
}
