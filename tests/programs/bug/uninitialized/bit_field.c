// A bit field beside one that was written, in the same byte.
//@ args: --check uninitialized
static volatile int yes;

struct flags { unsigned low : 3, high : 5; };

int main(void) {
  volatile struct flags f;
  f.low = 2;
  if (f.high == 1) // expect: bug uninitialized
    yes = 1;
  return 0;
}
