// A struct that is passed by value and partly not there: the function is not entered, and the path ends at the call.
//@ args: --ignore out-of-bounds
//@ opt: O1
//@ ignored: 0 1
//@ findings: 1
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

struct large {
  long values[16];
};
int calls;

__attribute__((noinline)) long take(struct large s) {
  calls++;
  return s.values[3];
}

int main(void) {
  struct large *volatile volatile_part = malloc(8), *part = volatile_part;
  long a = klee_int("a"), b = a * 3, c = a ^ 77;
  if (a == 1)
    abort(); // expect: bug abort
  part->values[0] = 1;
  long result = take(*part);
  /* Not reached. */
  printf("%d %ld %ld %ld\n", calls, a, b, c);
  if (calls != 1)
    abort();
  return (int)result;
}
