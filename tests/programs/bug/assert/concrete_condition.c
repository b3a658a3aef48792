// A failed assertion names its condition.
#include <assert.h>

volatile int balance = -5;

int main(void) {
  assert(balance >= 0); // expect: bug assert
  // expect: message contains "balance >= 0"
  return 0;
}
