// A struct that is passed by value and partly not there: the finding is in the call, not in the function.
//@ opt: O1 O2
#include <stdlib.h>

struct large {
  long values[16];
};

__attribute__((noinline)) long take(struct large s) { return s.values[3]; }

int main(void) {
  struct large *volatile part = malloc(8);
  if (!part)
    return 0;
  part->values[0] = 1;
  struct large *whole = part;
  return (int)take(*whole); // expect: bug out-of-bounds
}
