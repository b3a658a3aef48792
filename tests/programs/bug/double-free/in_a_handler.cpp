//@ cflags: -std=c++17
//@ opt: O0 O2
// A function frees its argument before it throws, and the handler frees it again.
#include <stdexcept>

volatile int value = -1;

__attribute__((noinline)) static void consume(int *data) {
  int number = *data;
  delete data;
  if (number < 0)
    throw std::invalid_argument("negative");
}

int main() {
  int *volatile data = new int(value);
  try {
    consume(data);
  } catch (const std::invalid_argument &) {
    delete data; // expect: bug double-free
  }
  return 0;
}
