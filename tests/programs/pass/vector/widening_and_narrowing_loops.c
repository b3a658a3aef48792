//@ native: yes
//@ opt: O2 O3
// Vectorised conversions between element widths, and a reversed copy.
#include <stdio.h>

enum { N = 50 };
unsigned char in[N];
short wide[N];
long sums[N];
signed char narrow[N];
volatile int base = 11;

int main(void) {
  for (int i = 0; i < N; i++)
    in[i] = (unsigned char)(i * base);
  for (int i = 0; i < N; i++)
    wide[i] = (short)(in[i] * 3 - 128);
  for (int i = 0; i < N; i++)
    sums[i] = (long)wide[i] * wide[N - 1 - i];
  for (int i = 0; i < N; i++)
    narrow[i] = (signed char)(sums[i] >> 4);
  unsigned long total = 0;
  for (int i = 0; i < N; i++)
    total = total * 3 + (unsigned long)(narrow[i] + sums[i] % 7);
  printf("%lx\n", total);
  return 0;
}
