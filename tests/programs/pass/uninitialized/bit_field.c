// A bit field that was written, in a byte of which other bits were not.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

struct flags { unsigned low : 3, high : 5; };

int main(void) {
  volatile struct flags f;
  f.low = 2;
  if (f.low == 2)
    yes = 1;
  return 0;
}
