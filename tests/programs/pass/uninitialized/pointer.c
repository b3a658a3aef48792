// A pointer that was never written is overwritten.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  int *volatile p;
  int x = 3;
  p = &x;
  yes = *p;
  return 0;
}
