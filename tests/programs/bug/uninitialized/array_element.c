// The last element of an array, which the loop before leaves out.
//@ args: --check uninitialized
static volatile int yes;

int main(void) {
  volatile char letters[8];
  for (int i = 0; i < 7; i++)
    letters[i] = (char)i;
  for (int i = 0; i < 8; i++)
    if (letters[i] == 5) // expect: bug uninitialized
      yes = i;
  return 0;
}
