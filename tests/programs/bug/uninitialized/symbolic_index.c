// An array is written up to a place, and read at a symbolic one: only indices behind it are at fault.
//@ args: --check uninitialized
//@ findings: 1
#include <klee/klee.h>

static volatile int yes;

int main(void) {
  volatile char text[16];
  for (int i = 0; i < 10; i++)
    text[i] = 'a';
  unsigned at = klee_range(0, 12, "at");
  if (text[at] == 'b') // expect: bug uninitialized
    // expect: message contains "offset 10 of local variable 'text' of 16 bytes"
    yes = 1;
  return 0;
}
