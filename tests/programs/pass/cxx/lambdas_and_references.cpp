//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
// Lambdas with captures by value and reference, as callbacks, and reference parameters.
#include <stdio.h>

template <typename F> int apply(F f, int n) {
  int r = 0;
  for (int i = 0; i < n; i++)
    r += f(i);
  return r;
}

static void swap(int &a, int &b) {
  int t = a;
  a = b;
  b = t;
}

volatile int seed = 4;

int main() {
  int base = seed, calls = 0;
  auto f = [base, &calls](int x) {
    calls++;
    return base * x;
  };
  int r = apply(f, 5);
  int (*plain)(int) = [](int x) { return x + 1; };
  int a = 1, b = 2;
  swap(a, b);
  const int &alias = a;
  a = 9;
  printf("%d %d %d %d %d\n", r, calls, plain(7), b, alias);
  return 0;
}
