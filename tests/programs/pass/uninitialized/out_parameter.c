// A function fails without setting what it is to return, and its caller looks.
//@ args: --check uninitialized
//@ native: yes
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
  if (parse(&value) == 0 && value == 42)
    yes = 1;
  return 0;
}
