//@ paths: 1
// klee_check_memory_access accepts a whole object, its inside, and an empty range.
#include <klee/klee.h>

char data[10];

int main(void) {
  int x = klee_int("x");
  klee_check_memory_access(data, sizeof data);
  klee_check_memory_access(data + 4, 6);
  klee_check_memory_access(&x, sizeof x);
  return 0;
}
