//@ cflags: -std=c++17
//@ opt: O0 O2
// The value of an optional is taken that a search has left empty.
#include <klee/klee.h>
#include <optional>

static const int known[] = {2, 3, 5};

__attribute__((noinline)) static std::optional<int> position(int number) {
  for (int i = 0; i < 3; i++)
    if (known[i] == number)
      return i;
  return std::nullopt;
}

volatile int sink;

int main() {
  int number = klee_range(2, 6, "number");
  sink = position(number).value(); // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type std::bad_optional_access: bad optional access"
  return 0;
}
