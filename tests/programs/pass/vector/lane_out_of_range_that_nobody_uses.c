// A lane that does not exist harms nobody as long as nothing depends on it.
//@ native: yes
#include <stdio.h>

typedef int four __attribute__((vector_size(16)));

__attribute__((noinline)) static int lane_or(four v, unsigned at, int other) {
  return at < 4 ? v[at] : other;
}

int main(void) {
  four v = {10, 20, 30, 40};
  for (volatile unsigned at = 0; at < 6; at++)
    printf("%d\n", lane_or(v, at, -1));
  return 0;
}
