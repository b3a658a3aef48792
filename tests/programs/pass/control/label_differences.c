//@ native: yes
// Jump offsets stored as differences of label addresses.
#include <stdio.h>

int main(void) {
  static const int offsets[] = {&&a - &&a, &&b - &&a, &&c - &&a};
  for (volatile int i = 0; i < 3; i++) {
    goto *(&&a + offsets[i]);
  a:
    printf("a");
    continue;
  b:
    printf("b");
    continue;
  c:
    printf("c");
  }
  printf("\n");
  return 0;
}
