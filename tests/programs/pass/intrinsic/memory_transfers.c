//@ native: yes
//@ opt: O0 O1 O2 O3
// memcpy, memmove in both directions and memset, of constant and run-time sizes, zero included.
#include <stdio.h>
#include <string.h>

char a[40] = "0123456789abcdefghijklmnopqrstuvwxyz", b[40];
volatile size_t n = 10, zero = 0;

int main(void) {
  __builtin_memcpy(b, a, 16);
  memcpy(b + 16, a, n);
  memcpy(b, a + 5, zero);
  puts(b);
  __builtin_memmove(b + 2, b, n);
  puts(b);
  memmove(b, b + 3, n + 5);
  puts(b);
  __builtin_memset(b + 4, '#', 6);
  memset(b + n, '!', n / 2);
  memset(b, 'x', zero);
  puts(b);
#if defined(__clang__)
  __builtin_memcpy_inline(a, "inline", 6);
#else
  memcpy(a, "inline", 6);
#endif
  puts(a);
  return 0;
}
