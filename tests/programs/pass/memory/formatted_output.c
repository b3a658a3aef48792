//@ native: yes
// printf: every conversion of the runtime with width, padding, precision and length.
#include <limits.h>
#include <stdio.h>

volatile int n = -42;

int main(void) {
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.4d]\n", n, n, n, n, 7, 7, n);
  printf("[%u] [%x] [%X] [%#x] [%o] [%8x] [%08X]\n", 42u, 0xbeefu, 0xbeefu, 255u, 8u, 0xabcu, 0xabcu);
  printf("[%ld] [%lu] [%lld] [%llu] [%zu] [%lx]\n", LONG_MIN, ULONG_MAX, LLONG_MAX, 1ULL << 40,
         sizeof n, 0xdeadbeefcafeUL);
  printf("[%c] [%3c] [%-3c] [%s] [%8s] [%-8s] [%.2s] [%5.1s]\n", 'x', 'y', 'z', "text", "right",
         "left", "cut", "cut");
  printf("[%*d] [%-*d] [%.*s] [%%] [%hhd] [%hd]\n", 6, 1, 4, 2, 3, "abcdef", 300, 70000);
  printf("[%p] [%d] [%i]\n", (void *)0x10, 0, INT_MIN);
  return 0;
}
