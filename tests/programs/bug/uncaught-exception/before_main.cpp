//@ cflags: -std=c++17
//@ opt: O0 O2
// The constructor of a global object throws, where no handler can be.
#include <stdexcept>

volatile int version = 1;

struct Table {
  int entries;
  __attribute__((noinline)) Table() : entries(version * 4) {
    if (version < 2)
      throw std::runtime_error("old version"); // expect: bug uncaught-exception
    // expect: message contains "uncaught exception of type std::runtime_error: old version"
  }
};

static Table table;

int main() {
  try {
    return table.entries == 0;
  } catch (...) {
    return 1;
  }
}
