//@ native: no
//@ args: --sym-stdin 3
//@ paths: 2
// Symbolic standard input has its bytes, then its end.
#include <assert.h>
#include <unistd.h>

volatile int hits;

int main(void) {
  char b[10];
  assert(read(0, b, 1) == 1);
  assert(read(0, b + 1, 9) == 2);
  assert(read(0, b + 3, 7) == 0);
  if (b[2] == 'q')
    hits++;
  return 0;
}
