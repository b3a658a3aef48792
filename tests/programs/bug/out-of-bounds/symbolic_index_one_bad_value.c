//@ paths: 1
// Of eleven possible indices one is out of bounds; the others go on as one path.
#include <klee/klee.h>

int table[10];
volatile int sink;

int main(void) {
  int i = klee_range(0, 11, "i");
  sink = table[i]; // expect: bug out-of-bounds
  return 0;
}
