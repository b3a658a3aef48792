//@ native: yes
// Signed division rounds to zero and the remainder takes the dividend's sign.
#include <stdio.h>

volatile int as[] = {7, -7, 7, -7, 0, -2147483647 - 1, 2147483647};
volatile int bs[] = {2, 2, -2, -2, -3, 2, -1};

int main(void) {
  for (int i = 0; i < 7; i++)
    printf("%d / %d = %d rest %d\n", as[i], bs[i], as[i] / bs[i], as[i] % bs[i]);
  return 0;
}
