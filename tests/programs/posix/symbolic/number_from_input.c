//@ native: no
//@ args: --sym-stdin 2
// A number out of two symbolic characters has the values that two characters can mean.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char b[3] = {0};
  assert(read(0, b, 2) == 2);
  long v = strtol(b, 0, 10);
  assert(v >= -9 && v <= 99);
  if (v == 42)
    assert(b[0] == '4' && b[1] == '2');
  if (v < 0)
    assert(b[0] == '-');
  return 0;
}
