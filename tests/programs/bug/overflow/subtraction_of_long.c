//@ args: --check overflow
// 64-bit signed subtraction below the smallest value.
volatile long low = -9223372036854775807L, two = 2, sink;

int main(void) {
  sink = low - two; // expect: bug overflow
  return 0;
}
