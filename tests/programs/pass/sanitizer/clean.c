// What the sanitizer checks, done right: no check fails on any input.
//@ cflags: -fsanitize=undefined,float-divide-by-zero,unsigned-integer-overflow,implicit-conversion,nullability -fno-sanitize=function,vptr
//@ native: yes
#include <klee/klee.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct pair {
  int first, second;
  int table[4];
};

struct pair pair = {1, 2, {3, 4, 5, 6}};
volatile int one = 1;

static int narrow(int x) {
  unsigned char low = (unsigned char)(x & 255);
  bool odd = x & 1;
  return low + odd;
}

static int sum(int x, int y) {
  int total;
  if (__builtin_add_overflow(x, y, &total))
    return 0;
  return total;
}

int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  int total = sum(x, y);
  if (y != 0 && !(y == -1 && x == -2147483647 - 1))
    total ^= x / y;
  if (x >= 0 && x < 4)
    total ^= pair.table[x];
  if (y >= 0 && y < 31)
    total ^= one << (y & 15);
  if (x > 0 && x < 8) {
    char array[x];
    memset(array, 1, sizeof array);
    total ^= array[x - 1];
  }
  total ^= narrow(x);
  double half = 0.5 * one;
  printf("%d %d\n", one + pair.second, (int)half);
  return total == 7 && one == 2;
}
