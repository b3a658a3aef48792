// A local variable may be copied and computed with before it is written, as long as nothing depends on it.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  volatile int x, y;
  y = x + 1;
  y = x ^ x;
  y = 3;
  x = y;
  if (x > 3)
    yes = 1;
  return 0;
}
