// A divisor that was never written.
//@ args: --check uninitialized
static volatile int yes;

int main(void) {
  volatile int d;
  volatile int n = 12;
  yes = n / d; // expect: bug uninitialized, divide-by-zero
  return 0;
}
