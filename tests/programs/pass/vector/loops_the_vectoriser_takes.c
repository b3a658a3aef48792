//@ native: yes
//@ opt: O0 O1 O2 O3
// Sums, dot products, minima and saturating updates of arrays: reductions at -O2 and -O3.
#include <stdio.h>

enum { N = 67 };
int a[N], b[N];
unsigned char bytes[N];
float f[N];
volatile int stride = 7;

int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = (i * stride) % 31 - 15;
    b[i] = i - stride;
    bytes[i] = (unsigned char)(i * stride);
    f[i] = (float)i;
  }
  int sum = 0, dot = 0, min = 1000, max = -1000, ones = 0;
  unsigned bits = 0, all = ~0u, mix = 0;
  for (int i = 0; i < N; i++) {
    sum += a[i];
    dot += a[i] * b[i];
    min = a[i] < min ? a[i] : min;
    max = a[i] > max ? a[i] : max;
    bits |= (unsigned)a[i];
    all &= (unsigned)b[i] | 0xff00;
    mix ^= bytes[i] * 2654435761u;
    ones += bytes[i] > 100;
  }
  for (int i = 0; i < N; i++)
    bytes[i] = bytes[i] > 200 ? 255 : (unsigned char)(bytes[i] + 55);
  unsigned total = 0;
  for (int i = 0; i < N; i++)
    total += bytes[i];
  float product = 0;
  for (int i = 0; i < N; i++)
    product += f[i] * 2.0f;
  printf("%d %d %d %d %x %x %x %d %u %d\n", sum, dot, min, max, bits, all, mix, ones, total,
         (int)product);
  return 0;
}
