//@ cflags: -std=c++17
//@ opt: O0 O2
//@ args: --check leaks
// An exception passes a function between its new and its delete.
#include <stdexcept>

volatile int limit = 3;

__attribute__((noinline)) static void check(const int *data) {
  if (data[1] > limit)
    throw std::range_error("too large");
}

__attribute__((noinline)) static void load(int value) {
  int *volatile data = new int[2]{0, value}; // expect: bug leak
  check(data);
  delete[] data;
}

int main() {
  for (int value : {2, 4}) {
    try {
      load(value);
    } catch (const std::range_error &) {
      limit = value;
    }
  }
  return 0;
}
