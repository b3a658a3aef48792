//@ native: yes
// sitofp, uitofp, fptosi and fptoui, with rounding of what does not fit the mantissa.
#include <stdio.h>

volatile long values[] = {0, -1, 7, 16777217, 9007199254740993, -9223372036854775807L - 1};

int main(void) {
  for (int i = 0; i < 6; i++) {
    float f = (float)values[i];
    double d = (double)values[i];
    printf("%ld %ld\n", (long)d, (long)(f / 2));
    double u = (double)(unsigned long)values[i];
    printf("%lu %d\n", (unsigned long)(u / 4), (signed char)(d > 100 ? 100 : d < -100 ? -100 : d));
  }
  return 0;
}
