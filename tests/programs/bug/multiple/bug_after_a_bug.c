//@ findings: 2
//@ paths: 1
// The path that survives one symbolic bug goes on and meets the next.
#include <assert.h>
#include <klee/klee.h>

int table[8];
volatile int sink;

int main(void) {
  int i = klee_range(0, 10, "i");
  sink = table[i]; // expect: bug out-of-bounds
  assert(i != 7); // expect: bug assert
  return 0;
}
