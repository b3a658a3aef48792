// A floating-point number that was never written is computed with, and the result is dropped.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  volatile double sum, other;
  other = sum / 2 + 1;
  sum = 4;
  if (sum > 3)
    yes = 1;
  return 0;
}
