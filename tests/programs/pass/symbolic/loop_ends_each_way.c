//@ opt: O0
//@ paths: 5
// A search through four symbolic bytes ends at each position or not at all.
#include <klee/klee.h>

volatile int position;

int main(void) {
  unsigned char b[4];
  klee_make_symbolic(b, sizeof b, "b");
  int i = 0;
  while (i < 4 && b[i] != '/')
    i++;
  position = i;
  return 0;
}
