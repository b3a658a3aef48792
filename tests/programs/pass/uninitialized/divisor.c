// A dividend that was never written is divided, and the quotient is dropped.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  volatile int d, n;
  d = 3;
  yes = n / d;
  yes = 0;
  if (yes)
    yes = 1;
  return 0;
}
