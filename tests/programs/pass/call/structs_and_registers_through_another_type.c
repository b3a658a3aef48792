// Calls as another type: a struct that is taken as a parameter is a copy, a function with `...` finds each kind of
// number in the registers of that kind, and parameters that nobody reads need not be passed.
//@ native: yes
//@ cflags: -w
//@ opt: O0 O1 O2
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct large {
  volatile long values[8];
};

__attribute__((noinline)) long change(int n, struct large s) {
  s.values[0] = 77;
  return s.values[1] + n;
}

__attribute__((noinline)) int first_of_rest(int a, ...) {
  va_list list;
  va_start(list, a);
  int b = va_arg(list, int);
  va_end(list);
  return a * 100 + b;
}

__attribute__((noinline)) double by_kind(int a, ...) {
  va_list list, again;
  va_start(list, a);
  va_copy(again, list);
  int b = va_arg(list, int), c = va_arg(list, int);
  double x = va_arg(list, double), y = va_arg(list, double);
  struct large s = va_arg(list, struct large);
  double z = va_arg(again, double);
  va_end(again);
  va_end(list);
  return a + 10 * b + 100 * c + 1000 * x + 10000 * y + 100000 * s.values[1] + 0.5 * z;
}

__attribute__((noinline)) int with_unused(int a, int unused, struct large unused_too) { return a; }
static void at_end(int status, void *unused) { puts("end"); }

typedef long (*variable)(int, ...);
typedef int (*number_first)(double, int, int);
typedef double (*mixed)(double, ...);
typedef int (*unary)(int);

int main(void) {
  volatile variable open = (variable)change;
  volatile number_first skipping = (number_first)first_of_rest;
  volatile mixed mix = (mixed)by_kind;
  volatile unary one = (unary)with_unused;
  struct large s = {{1, 2, 3}};
  printf("%ld\n", open(5, s));
  assert(s.values[0] == 1);
  printf("%d\n", skipping(1.5, 1, 2));
  printf("%.2f\n", mix(1.0, 2, s, 3, 4.0, 5));
  printf("%d\n", one(4));
  atexit((void (*)(void))at_end);
  return 0;
}
