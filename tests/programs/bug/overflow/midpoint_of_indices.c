//@ args: --check overflow
//@ paths: 1
// The midpoint computed as (low + high) / 2.
#include <klee/klee.h>

volatile int sink;

int main(void) {
  int low = klee_int("low"), high = klee_int("high");
  klee_assume((low >= 0) & (high >= low));
  sink = (low + high) / 2; // expect: bug overflow
  return 0;
}
