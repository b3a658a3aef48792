//@ native: yes
// A large array is written sparsely and summed; untouched parts stay zero.
#include <stdio.h>

unsigned char big[1 << 17];
volatile unsigned step = 4099;

int main(void) {
  for (unsigned i = 0; i < sizeof big; i += step)
    big[i] = (unsigned char)(i % 251);
  unsigned sum = 0, used = 0;
  for (unsigned i = 0; i < sizeof big; i++) {
    sum = sum * 31 + big[i];
    used += big[i] != 0;
  }
  printf("%x %u\n", sum, used);
  return 0;
}
