//@ native: yes
// Variable-length arrays and alloca in a loop, whose stack is restored each time.
#include <stdio.h>

volatile int n = 6;

__attribute__((noinline)) int fill(int size) {
  int v[size], grid[size][size];
  for (int i = 0; i < size; i++) {
    v[i] = i * size;
    for (int j = 0; j < size; j++)
      grid[i][j] = i ^ j;
  }
  return v[size - 1] + grid[size - 1][1] + (int)sizeof grid;
}

int main(void) {
  int total = 0;
  for (int i = 2; i < n; i++) {
    char scratch[i * 3];
    scratch[i * 3 - 1] = (char)i;
    total += fill(i) + scratch[i * 3 - 1];
  }
  char *p = __builtin_alloca((unsigned)n);
  p[n - 1] = 'q';
  printf("%d %c\n", total, p[n - 1]);
  return 0;
}
