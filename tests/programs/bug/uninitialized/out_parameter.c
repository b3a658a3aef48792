// A function fails without setting what it is to return, and its caller does not look.
//@ args: --check uninitialized
static volatile int yes;

static volatile int input = 0;

__attribute__((noinline)) static int parse(int *out) {
  if (!input)
    return -1;
  *out = input;
  return 0;
}

int main(void) {
  int value;
  parse(&value);
  if (value == 42) // expect: bug uninitialized
    yes = 1;
  return 0;
}
