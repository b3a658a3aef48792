// The bound of a loop was written.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  volatile int n;
  n = 3;
  for (int i = 0; i < n; i++)
    yes = i;
  return 0;
}
