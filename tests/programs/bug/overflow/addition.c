//@ args: --check overflow
// Signed addition beyond the largest int.
volatile int big = 2147483647, one = 1, sink;

int main(void) {
  sink = big + one; // expect: bug overflow
  return 0;
}
