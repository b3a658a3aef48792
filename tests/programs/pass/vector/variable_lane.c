//@ native: yes
// insertelement and extractelement with a lane number known only at run time.
#include <stdio.h>

typedef short v8s __attribute__((vector_size(16)));

volatile int lane = 5;

int main(void) {
  v8s v = {1, 2, 3, 4, 5, 6, 7, 8};
  v[lane] = 99;
  v[(lane + 4) % 8] += v[lane - 1];
  for (int i = 0; i < 8; i++)
    printf("%d ", v[i]);
  printf("%d\n", v[lane]);
  return 0;
}
