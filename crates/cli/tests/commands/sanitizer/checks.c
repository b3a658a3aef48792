/* One check of the sanitizer a number: the first argument chooses, and each fails when nothing is given behind it. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  int first;
  int table[4];
  int last;
};

struct bits {
  unsigned low : 3;
};

volatile long sink;
struct pair pair;
char buffer[16] __attribute__((aligned(8)));

__attribute__((noinline, nonnull(2))) int needed(int x, const char *text) {
  return text[x];
}

__attribute__((noinline, returns_nonnull)) char *given(int x) {
  return x ? buffer : NULL;
}

__attribute__((noinline)) int ends(int x) {
  if (!x)
    __builtin_unreachable();
  return x;
}

static void arithmetic(int number, int x) {
  switch (number) {
  case 0: sink = INT_MAX + (x + 1); break;
  case 1: sink = x - INT_MAX - 2; break;
  case 2: sink = (INT_MAX - x) * 2; break;
  case 3: sink = -(INT_MIN + x); break;
  case 4: sink = (INT_MIN + x) / (x - 1); break;
  case 5: sink = 5 / x; break;
  case 6: sink = 5 % x; break;
  case 7: sink = 1 << (x + 32); break;
  case 8: sink = 1L << (x - 1); break;
  case 9: sink = (x - 1) << 3; break;
  case 10: sink = (x + 3) << 31; break;
  case 11: sink = LONG_MIN - (x + 1); break;
  case 12: { __int128 wide = (__int128)(x + 1) << 126; sink = wide * 4 != 0; break; }
  case 13: { __int128 wide = (__int128)-1 - (__int128)(x + 1); wide <<= 3; sink = wide != 0; break; }
  case 14: { unsigned u = x; sink = u - 1; break; }
  case 15: { unsigned long u = ULONG_MAX - x; sink = u * 2 != 0; break; }
  case 16: { unsigned u = x + 1; sink = -u; break; }
  case 17: { unsigned u = x; sink = __builtin_ctz(u); break; }
  case 18: { unsigned long u = x; sink = __builtin_clzl(u); break; }
  case 19: { double real = x; sink = 1 / real > 3; break; }
  case 20: { double real = 1e20 * (x + 1); sink = (int)real; break; }
  case 21: { float real = -1.5f - x; sink = (unsigned char)real; break; }
  case 22: { long double real = 1e30L * (x + 1); sink = (long)real; break; }
  case 23: { int wide = 300 + x; unsigned char byte = wide; sink = byte; break; }
  case 24: { signed char byte = x - 1; unsigned u = byte; sink = u; break; }
  case 25: { unsigned u = UINT_MAX - x; int i = u; sink = i; break; }
  case 26: { struct bits bits; bits.low = x + 12; sink = bits.low; break; }
  }
}

static void memory(int number, int x) {
  char *text = x ? buffer : NULL;
  struct pair *at = x ? &pair : NULL;
  switch (number) {
  case 30: sink = at->last; break;
  case 31: *(int *)text = 1; break;
  case 32: sink = *(int *)(buffer + x + 1); break;
  case 33: *(short *)(buffer + x + 3) = 1; break;
  case 34: sink = pair.table[x + 4]; break;
  case 35: sink = pair.table[x - 1]; break;
  case 36: { char array[x]; sink = sizeof array; break; }
  case 37: { char array[x - 3]; sink = sizeof array; break; }
  case 38: { unsigned char byte = x + 42; bool yes; memcpy(&yes, &byte, 1); sink = yes; break; }
  case 39: sink = needed(x, text); break;
  case 40: sink = given(x) != NULL; break;
  case 41: sink = ends(x); break;
  case 42: { char *other = buffer; other += (unsigned long)-1 - x; sink = other != NULL; break; }
  case 43: sink = *(int *)__builtin_assume_aligned(buffer + x + 4, 8); break;
  }
}

int main(int argc, char **argv) {
  int number = argc > 1 ? atoi(argv[1]) : 0, x = argc > 2 ? atoi(argv[2]) : 0;
  arithmetic(number, x);
  memory(number, x);
  return 0;
}
