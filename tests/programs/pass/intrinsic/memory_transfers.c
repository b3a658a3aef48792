//@ native: yes
//@ opt: O0 O1 O2 O3
// memcpy, memmove in both directions and memset, of constant and run-time sizes, zero included.
#include <stdio.h>
#include <string.h>

char a[40] = "0123456789abcdefghijklmnopqrstuvwxyz", b[40];
volatile size_t n = 10, zero = 0;

int main(void) {
  memcpy(b, a, 16);
  memcpy(b + 16, a, n);
  memcpy(b, a + 5, zero);
  puts(b);
  memmove(b + 2, b, n);
  puts(b);
  memmove(b, b + 3, n + 5);
  puts(b);
  memset(b + 4, '#', 6);
  memset(b + n, '!', n / 2);
  memset(b, 'x', zero);
  puts(b);
  __builtin_memcpy_inline(a, "inline", 6);
  puts(a);
  return 0;
}
