//@ paths: 1
// An amount of cents that goes through a double comes back if it is rounded.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int cents = klee_range(0, 1000, "cents");
  double price = cents / 100.0;
  assert((int)(price * 100 + 0.5) == cents);
  return 0;
}
