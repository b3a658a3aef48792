// A call as another type takes and gives the low bits of registers: concrete and symbolic ones.
//@ native: yes
//@ cflags: -w -fno-strict-aliasing
//@ paths: 1
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

typedef long (*to_long)();
typedef int (*to_int)();
typedef char (*to_char)();
typedef _Bool (*to_bool)();

struct pair {
  long first, second;
};

/* Two declarations of one function: the second without a prototype, as another module may have it. */
__attribute__((noinline)) long twice(long x) { return 2 * x; }
int twice_as_int() __asm__("twice");

__attribute__((noinline)) int negated(int x) { return -x; }
long negated_as_long() __asm__("negated");

__attribute__((noinline)) char lower(char c) { return c | 32; }
__attribute__((noinline)) _Bool even(unsigned x) { return x % 2 == 0; }
__attribute__((noinline)) int low_byte(unsigned char c) { return c; }
__attribute__((noinline)) int first_of(int a) { return a; }
__attribute__((noinline)) struct pair both(long a, long b) { return (struct pair){a, b}; }
__attribute__((noinline)) int sum(int a, int b, int c, int d, int e, int f, int g, int h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

static void check(int x, long y) {
  volatile to_long call_long;
  volatile to_int call_int;
  volatile to_char call_char;
  volatile to_bool call_bool;

  assert(twice_as_int(y) == (int)(2 * y));
  assert((int)negated_as_long(x) == -x);
  call_long = (to_long)negated;
  assert((int)call_long(x) == -x);
  call_int = (to_int)twice;
  assert(call_int(y) == (int)(2 * y));
  call_char = (to_char)negated;
  assert(call_char(x) == (char)-x);
  call_int = (to_int)lower;
  assert((char)call_int(x) == (char)(x | 32));
  call_int = (to_int)even;
  assert((call_int(x) & 1) == (x % 2 == 0));
  call_int = (to_int)low_byte;
  assert((call_int(x) & 255) == (x & 255));
  call_int = (to_int)both;
  assert(call_int(y, 7L) == (int)y);
  /* Arguments that nobody takes. */
  call_int = (to_int)first_of;
  assert(call_int(x, y, 2.5, &x) == x);
  /* The seventh and the eighth are on the stack. */
  call_int = (to_int)sum;
  assert(call_int(x, 0L, 0, 0L, 0, 0L, (long)x, 1) == x + 7 * x + 8);
  call_bool = (to_bool)even;
  assert(call_bool(x) == (x % 2 == 0));
}

int main(void) {
  volatile int x = 1234567;
  volatile long y = 98765432101L;
  int a = 5;
  long b = 6;
  check(x, y);
  check(-x, -y);
  printf("%d %d\n", twice_as_int(y), (int)negated_as_long(x));
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > -1000);
  klee_assume(a < 1000);
  check(a, b);
  return 0;
}
