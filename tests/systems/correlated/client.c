/* Sends a symbolic byte and looks at it itself, before or after, as the argument says. */
#include <klee/klee.h>

#include "../sockets.h"

static volatile int small, large;

static void look(unsigned char byte) {
  if (byte < 10)
    small++;
  else
    large++;
}

int main(int argc, char **argv) {
  int before = strcmp(argv[1], "before") == 0;
  unsigned char byte;
  int fd = connected(SOCK_DGRAM, "server", 7000);
  klee_make_symbolic(&byte, 1, "byte");
  if (before) look(byte);
  assert(write(fd, &byte, 1) == 1);
  if (!before) look(byte);
  assert(small + large == 1);
  return 0;
}
