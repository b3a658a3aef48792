//@ cflags: -std=c++17
//@ opt: O0 O2
// A number is thrown through two functions, and nobody takes it.
#include <cstdio>

volatile int limit = 3;

__attribute__((noinline)) static void check(int value) {
  if (value > limit)
    throw value; // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type int"
}

__attribute__((noinline)) static void work(int steps) {
  for (int i = 0; i < steps; i++)
    check(i);
}

int main() {
  work(10);
  std::puts("done");
  return 0;
}
