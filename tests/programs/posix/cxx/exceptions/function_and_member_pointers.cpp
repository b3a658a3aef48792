//@ cflags: -std=c++17
// Pointers to functions and to members are exceptions of exactly their type, and keep what they point to.
#include <cstddef>
#include <cstdio>

struct Point {
  int x = 1, y = 2;
  int sum() const { return x + y; }
  int product() const { return x * y; }
};

static int twice(int n) { return 2 * n; }
static double half(double n) { return n / 2; }

volatile int which;

static void raise() {
  switch (which) {
  case 0: throw twice;
  case 1: throw &half;
  case 2: throw &Point::y;
  case 3: throw &Point::product;
  case 4: throw nullptr;
  case 5: throw &which;
  }
}

int main() {
  Point point;
  point.x = 5;
  for (which = 0; which < 6; which = which + 1) {
    try {
      raise();
    } catch (std::nullptr_t) {
      std::puts("nullptr");
    } catch (int (*function)(int)) {
      std::printf("function of int: %d\n", function(21));
    } catch (double (*function)(double)) {
      std::printf("function of double: %g\n", function(5));
    } catch (int Point::*member) {
      std::printf("member: %d\n", point.*member);
    } catch (int (Point::*method)() const) {
      std::printf("method: %d\n", (point.*method)());
    } catch (volatile int *number) {
      std::printf("number: %d\n", *number);
    }
  }
  try {
    throw nullptr;
  } catch (int Point::*member) {
    std::printf("no member: %d\n", member == nullptr);
  }
  try {
    throw nullptr;
  } catch (int (Point::*method)() const) {
    std::printf("no method: %d\n", method == nullptr);
  }
}
