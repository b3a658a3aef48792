//@ cflags: -std=c++17
// The handler of a whole constructor ends by rethrowing, that of a function may return a value.
#include <cstdio>

struct Member {
  explicit Member(int value) {
    if (value < 0)
      throw value;
  }
  ~Member() { std::puts("member destroyed"); }
};

struct Base {
  ~Base() { std::puts("base destroyed"); }
};

struct Whole : Base {
  Member one, two;
  Whole(int first, int second) try : one(first), two(second) {
    std::puts("made");
  } catch (int value) {
    std::printf("constructor: %d\n", value);
  }
};

static int half(int value) try {
  if (value % 2)
    throw value;
  return value / 2;
} catch (int odd) {
  return -odd;
}

volatile int negative = -4;

int main() try {
  Whole(1, 2);
  try {
    Whole(1, negative);
  } catch (int value) {
    std::printf("main: %d\n", value);
  }
  std::printf("%d %d\n", half(8), half(7));
  throw 2.5;
} catch (double value) {
  std::printf("end: %g\n", value);
  return 3;
}
