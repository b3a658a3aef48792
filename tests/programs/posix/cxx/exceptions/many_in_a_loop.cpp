//@ cflags: -std=c++17
//@ opt: O0 O2
//@ args: --check leaks
// Some hundred exceptions of changing types leave no memory and no handler behind.
#include <cstdio>
#include <exception>
#include <string>

struct Numbered {
  std::string text;
};

static void raise(int i) {
  switch (i % 4) {
  case 0: throw i;
  case 1: throw Numbered{std::to_string(i) + " is a number in a text"};
  case 2: throw (long)i;
  }
}

volatile int count = 300;

int main() {
  long sum = 0, length = 0, nothing = 0;
  for (int i = 0; i < count; i++) {
    try {
      raise(i);
      nothing++;
    } catch (int number) {
      sum += number;
    } catch (const Numbered &numbered) {
      length += numbered.text.size();
    } catch (...) {
      sum -= i;
    }
  }
  std::printf("%ld %ld %ld\n", sum, length, nothing);
  std::printf("%d %d\n", std::uncaught_exceptions(), std::current_exception() == nullptr);
}
