//@ args: --check overflow
//@ opt: O0
// A counter that starts near the limit overflows in a loop.
volatile int start = 2147483640;

int main(void) {
  int n = start;
  for (int i = 0; i < 20; i++)
    n++; // expect: bug overflow
  return n & 1;
}
