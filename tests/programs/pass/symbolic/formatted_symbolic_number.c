//@ paths: 3
// printf of a symbolic number forks over the number of its digits, no more.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned n = (unsigned)klee_range(1, 1000, "n");
  char text[16];
  snprintf(text, sizeof text, "%u", n);
  return 0;
}
