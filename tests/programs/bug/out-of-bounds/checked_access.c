// klee_check_memory_access reports a range that leaves its object.
#include <klee/klee.h>

char data[10];

int main(void) {
  klee_check_memory_access(data + 4, 7); // expect: bug out-of-bounds
  return 0;
}
