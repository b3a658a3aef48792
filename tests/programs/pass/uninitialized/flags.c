// A bit is set in a word that was never written, and tested; the others are masked away.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  volatile unsigned flags;
  flags |= 4;
  if (flags & 4)
    yes = 1;
  if ((flags & ~2u) & 4)
    yes = 2;
  flags &= 0;
  if (flags)
    yes = 3;
  return 0;
}
