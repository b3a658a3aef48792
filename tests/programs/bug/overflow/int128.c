// Numbers of 128 bits overflow, too.
//@ args: --check overflow
//@ findings: 4
//@ paths: 1
#include <klee/klee.h>

volatile __int128 largest = ((__int128)1 << 126) - 1 + ((__int128)1 << 126);
volatile __int128 smallest = -(((__int128)1 << 126) - 1 + ((__int128)1 << 126)) - 1;
volatile __int128 sink;

int main(void) {
  __int128 x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (klee_int("which")) {
  case 0:
    sink = largest + 1; // expect: bug overflow
    // expect: message contains "signed 128-bit addition overflows"
    return 1;
  case 1:
    sink = smallest - 1; // expect: bug overflow
    return 1;
  case 2:
    sink = largest * 2; // expect: bug overflow
    return 1;
  case 3:
    klee_assume(x > 0);
    sink = x + x / 2; // expect: bug overflow
    klee_silent_exit(0);
  }
  return 0;
}
