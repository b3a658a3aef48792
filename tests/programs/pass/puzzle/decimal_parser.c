//@ opt: O0
//@ paths: 7
// A parser of up to three digits: one path for each length, with zero and without.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  int value = 0, digits = 0;
  while (digits < 3) {
    unsigned digit = s[digits] - (unsigned)'0';
    if (digit > 9)
      break;
    value = value * 10 + (int)digit;
    digits++;
  }
  assert(value < 1000);
  if (digits == 0)
    return 1;
  assert(digits == 3 || value < 100);
  if (value == 0)
    return 2;
  return 0;
}
