// Two uses of the same variable are one finding, and those of two variables are two.
//@ args: --check uninitialized
//@ findings: 2
//@ paths: 1
static volatile int yes;

int main(void) {
  volatile int x, y;
  if (x) // expect: bug uninitialized
    yes = 1;
  if (x > 5)
    yes = 2;
  if (y) // expect: bug uninitialized
    yes = 3;
  return 0;
}
