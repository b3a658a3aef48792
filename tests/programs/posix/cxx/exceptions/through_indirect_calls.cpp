//@ cflags: -std=c++17
//@ opt: O0 O2
// Exceptions pass virtual calls, pointers to functions and members, std::function, std::bind and std::invoke.
#include <cstdio>
#include <functional>

struct Shape {
  virtual ~Shape() {}
  virtual int area(int side) const = 0;
};
struct Square : Shape {
  int area(int side) const override {
    if (side < 0)
      throw side;
    return side * side;
  }
};

static int area(int side) { return Square().area(side); }

volatile int side = -3;

template <class Call> static void attempt(const char *name, Call call) {
  try {
    std::printf("%s: %d\n", name, call(2));
    std::printf("%s: %d\n", name, call(side));
  } catch (int value) {
    std::printf("%s: caught %d\n", name, value);
  }
}

static Square square;
Shape *volatile shape = &square;
int (*volatile pointer)(int) = area;
int (Shape::*volatile member)(int) const = &Shape::area;

int main() {
  attempt("virtual call", [](int n) { return shape->area(n); });
  attempt("pointer", [](int n) { return pointer(n); });
  attempt("member", [](int n) { return (shape->*member)(n); });
  std::function<int(int)> function = area;
  attempt("function", function);
  attempt("bind", std::bind(&Shape::area, &square, std::placeholders::_1));
  attempt("invoke", [](int n) { return std::invoke(&Shape::area, square, n); });
}
