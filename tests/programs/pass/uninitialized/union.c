// A union is read through another member, but only the bytes that were written count.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

union word { char byte; int number; };

int main(void) {
  volatile union word u;
  u.byte = 1;
  if ((u.number & 0xff) == 1)
    yes = 1;
  return 0;
}
