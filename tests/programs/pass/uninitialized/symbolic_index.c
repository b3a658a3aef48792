// An array is written up to a place, and read at a symbolic one before it.
//@ args: --check uninitialized
//@ native: yes
#include <klee/klee.h>

static volatile int yes;

int main(void) {
  volatile char text[16];
  for (int i = 0; i < 10; i++)
    text[i] = 'a';
  unsigned at = klee_range(0, 10, "at");
  if (text[at] == 'b')
    yes = 1;
  return 0;
}
