// memset of a symbolic length that exceeds the object for some inputs.
#include <klee/klee.h>
#include <string.h>

char buffer[8];

int main(void) {
  unsigned n = (unsigned)klee_range(0, 10, "n");
  memset(buffer, 1, n); // expect: bug out-of-bounds
  return 0;
}
