//@ native: yes
//@ opt: O0 O1 O2 O3
// Vector extension arithmetic works lane by lane, for integers and floats.
#include <stdio.h>

typedef int v4i __attribute__((vector_size(16)));
typedef unsigned char v16b __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));

volatile int seed = 3;

int main(void) {
  v4i a = {seed, -seed, 100, seed << 20}, b = {2, 3, -4, 5};
  v4i sum = a + b, product = a * b, quotient = a / b, shifted = a << 2, mixed = (a ^ b) & ~a;
  for (int i = 0; i < 4; i++)
    printf("%d %d %d %d %d\n", sum[i], product[i], quotient[i], shifted[i], mixed[i]);
  v16b bytes = {0};
  for (int i = 0; i < 16; i++)
    bytes[i] = (unsigned char)(i * 17);
  bytes += (unsigned char)(seed * 50);
  unsigned total = 0;
  for (int i = 0; i < 16; i++)
    total = total * 3 + bytes[i];
  v4f f = {0.5f, 1.5f, -2.5f, (float)seed};
  f = f * f + 1.0f;
  printf("%u %d %d\n", total, (int)(f[2] * 100), (int)f[3]);
  return 0;
}
