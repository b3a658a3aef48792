//@ opt: O0
//@ paths: 4
// A search without a bound: it ends at each of four positions or leaves the array.
#include <klee/klee.h>

int main(void) {
  char b[4];
  klee_make_symbolic(b, sizeof b, "b");
  int i = 0;
  while (b[i] != '=') // expect: bug out-of-bounds
    i++;
  return i;
}
