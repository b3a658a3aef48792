//@ opt: O0 O1 O2
//@ paths: 4
// A symbolic switch makes one path for each feasible target, not for each case value.
#include <klee/klee.h>

volatile int first, second, third, other;

int main(void) {
  int n = klee_int("n");
  switch (n) {
  case 1:
  case 2:
  case 3:
  case 4: first++; break;
  case 10: second++; second++; break;
  case 1000: third++; third++; third++; break;
  default: other++; other--; other++; other--; break;
  }
  return 0;
}
