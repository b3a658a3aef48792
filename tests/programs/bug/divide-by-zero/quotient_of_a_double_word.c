//@ findings: 2
//@ opt: O0 O2
// `div` traps where the quotient of a double word does not fit into a word, as it does for a divisor of zero.
#include <klee/klee.h>

typedef unsigned long word;

volatile word sink;

__attribute__((noinline)) static void divide(word high, word low, word by) {
  word quotient, rest;
  __asm__("divq %4" : "=a"(quotient), "=d"(rest) : "0"(low), "1"(high), "rm"(by)); // expect: bug divide-by-zero
  sink = quotient ^ rest;
}

int main(void) {
  divide(4, 7, 5);
  if (klee_range(0, 2, "which"))
    divide(5, 7, 5);
  else
    divide(1, 7, klee_range(0, 2, "divisor") * 2);
  return 0;
}
