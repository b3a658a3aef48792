// An amount of cents that goes through a double and is cut off on the way back, as 29 becomes 28.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int cents = klee_range(0, 1000, "cents");
  double price = cents / 100.0;
  assert((int)(price * 100) == cents); // expect: bug assert
  return 0;
}
