// A choice between a value that was written and one that was not, which depends on neither.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  volatile int x, y;
  y = 3;
  volatile int which = 1;
  int chosen = which ? y : x;
  if (chosen == 3)
    yes = 1;
  return 0;
}
