// The bound of a loop was never written. The path goes on as if it were zero.
//@ args: --check uninitialized
//@ paths: 1
//@ findings: 1
static volatile int yes;

int main(void) {
  volatile int n;
  for (int i = 0; i < n; i++) // expect: bug uninitialized
    yes = i;
  return 0;
}
