// A union is read through a member that is larger than the one that was written.
//@ args: --check uninitialized
static volatile int yes;

union word { char byte; int number; };

int main(void) {
  volatile union word u;
  u.byte = 1;
  if (u.number == 1) // expect: bug uninitialized
    // expect: message contains "offset 1 of local variable 'u' of 4 bytes"
    yes = 1;
  return 0;
}
