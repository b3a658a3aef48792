// A shift by the width or more takes its amount modulo the width, as the machine does, once that is ignored.
//@ opt: O0
//@ args: --ignore overshift
//@ paths: 0
//@ ignored: 1 0
#include <assert.h>

volatile int by = 35;

int main(void) {
  int value = 1 << by;
  assert(value != 8); // expect: bug assert
  return 0;
}
