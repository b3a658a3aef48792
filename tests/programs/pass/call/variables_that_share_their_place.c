//@ opt: O2
//@ native: yes
// Variables whose lives do not overlap have one place on the stack.
#include <stdio.h>

__attribute__((noinline)) static void fill(volatile char *buffer, int n) {
  for (int i = 0; i < n; i += 4096)
    buffer[i] = (char)(i >> 12);
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    char first[5 << 20];
    fill(first, sizeof first);
    sum += first[4096];
  }
  for (int i = 0; i < 3; i++) {
    char second[5 << 20];
    fill(second, sizeof second);
    sum += second[8192];
  }
  printf("%d\n", sum);
  return 0;
}
