// A bit is set in a word that was never written, and another bit is tested.
//@ args: --check uninitialized
static volatile int yes;

int main(void) {
  volatile unsigned flags;
  flags |= 4;
  if (flags & 4)
    yes = 1;
  if (flags & 2) // expect: bug uninitialized
    yes = 2;
  return 0;
}
