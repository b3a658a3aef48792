//@ native: yes
// Static locals keep their values between calls, one for each function of that name.
#include <stdio.h>

__attribute__((noinline)) int next(void) {
  static int n = 10;
  static int calls[3];
  calls[n % 3]++;
  return n++ * 10 + calls[1];
}

__attribute__((noinline)) int other(void) {
  static int n = 500;
  return --n;
}

int main(void) {
  for (int i = 0; i < 4; i++)
    printf("%d %d\n", next(), other());
  return 0;
}
