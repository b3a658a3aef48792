// What is read past the end of an object may be anything, once that is ignored: both sides of a branch on it exist.
//@ opt: O0
//@ args: --ignore out-of-bounds
//@ paths: 1
//@ ignored: 1 0
#include <assert.h>

volatile int at = 4;
int table[4];

int main(void) {
  int value = table[at];
  assert(value != 77); // expect: bug assert
  return 0;
}
