//@ native: yes
//@ opt: O0 O2
// A threaded interpreter through label addresses: indirectbr and blockaddress in a constant table.
#include <stdio.h>

unsigned char program[] = {0, 0, 1, 2, 0, 1, 3};

int main(void) {
  static void *const labels[] = {&&increment, &&twice, &&negate, &&stop};
  unsigned char *pc = program;
  int acc = 1;
  goto *labels[*pc++];
increment:
  acc++;
  goto *labels[*pc++];
twice:
  acc *= 2;
  goto *labels[*pc++];
negate:
  acc = -acc;
  goto *labels[*pc++];
stop:
  printf("%d\n", acc);
  return 0;
}
