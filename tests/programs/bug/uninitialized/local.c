// A branch on a local variable that was never written.
//@ args: --check uninitialized
static volatile int yes;

int main(void) {
  volatile int x;
  if (x > 3) // expect: bug uninitialized
    // expect: message contains "the byte at offset 0 of local variable 'x' of 4 bytes, which was never written"
    yes = 1;
  return 0;
}
