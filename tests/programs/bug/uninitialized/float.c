// A floating-point number that was never written is computed with and compared.
//@ args: --check uninitialized
static volatile int yes;

int main(void) {
  volatile double sum;
  double half = sum / 2 + 1;
  if (half > 3) // expect: bug uninitialized
    // expect: message contains "local variable 'sum' of 8 bytes"
    yes = 1;
  return 0;
}
