/* Sends a symbolic byte on its way, and hears from the last one what it is. */
#include <klee/klee.h>

#include "../sockets.h"

int main(void) {
  unsigned char byte;
  char class;
  int answers = bound(SOCK_DGRAM, 7001), fd = connected(SOCK_DGRAM, "relay", 7000);
  klee_make_symbolic(&byte, 1, "byte");
  assert(write(fd, &byte, 1) == 1);
  assert(recv(answers, &class, 1, 0) == 1);
  if (class == 't') assert(byte < 50);
  if (class == 's') assert(byte >= 50 && byte < 100);
  if (class == 'l') assert(byte >= 100);
  return 0;
}
