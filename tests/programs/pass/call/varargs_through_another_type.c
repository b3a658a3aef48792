// A variadic function called through a type without `...`, and the other way round.
//@ native: yes
//@ cflags: -w
//@ opt: O0 O1 O2
#include <assert.h>
#include <klee/klee.h>
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) int add_up(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}

__attribute__((noinline)) long difference(long a, int b) { return a - b; }

typedef int (*fixed)(int, int, int);
typedef int (*fixed_many)(int, int, long, int, int, int, int, int, int);
typedef long (*variable)(long, ...);
typedef int (*printer)(const char *, int, char *);

int main(void) {
  volatile fixed three = (fixed)add_up;
  volatile fixed_many nine = (fixed_many)add_up;
  volatile variable open = (variable)difference;
  volatile printer print = (printer)printf;
  volatile int x = 20, y = -3;
  int s = 4;
  printf("%d\n", three(2, x, y));
  printf("%d\n", nine(8, x, 1L, 2, 3, 4, 5, 6, 7));
  printf("%ld\n", open(100, x));
  print("%d %s\n", x, "text");
  klee_make_symbolic(&s, sizeof s, "s");
  klee_assume(s > 0);
  klee_assume(s < 100);
  assert(three(2, s, y) == s - 3);
  assert(open(100, s) == 100 - s);
  return 0;
}
