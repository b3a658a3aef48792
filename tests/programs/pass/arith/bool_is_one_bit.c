//@ native: yes
// _Bool arithmetic: any non-zero value stores one, logic on i1 values.
#include <stdio.h>

volatile int inputs[5] = {0, 1, 2, 256, -1};

int main(void) {
  for (int i = 0; i < 5; i++) {
    _Bool b = inputs[i];
    _Bool c = !b, d = b ^ c, e = b & c, f = b | c;
    b += 1;
    printf("%d %d %d %d %d\n", b, c, d, e, f);
    b--;
    printf("%d\n", b);
  }
  return 0;
}
