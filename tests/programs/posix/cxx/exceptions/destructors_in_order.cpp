//@ cflags: -std=c++17
//@ opt: O0 O2
// On the way to its handler an exception destroys local objects and temporaries, the last one first.
#include <cstdio>

struct Local {
  const char *name;
  explicit Local(const char *name) : name(name) { std::printf("+%s ", name); }
  ~Local() { std::printf("-%s ", name); }
  int value() const { return 1; }
};

volatile int number = 3;

static int raise(int value, int other) {
  Local local("innermost");
  if (number)
    throw value + other;
  return 0;
}

static int middle() {
  Local before("before");
  {
    Local ended("ended");
  }
  int sum = raise(Local("temporary").value(), 41);
  Local after("after");
  return sum;
}

static int outer() {
  Local array[2] = {Local("a0"), Local("a1")};
  for (int i = 0; i < 2; i++) {
    Local turn(i ? "turn1" : "turn0");
    if (i == 1)
      return middle();
  }
  return 0;
}

int main() {
  Local kept("kept");
  try {
    Local tried("tried");
    outer();
  } catch (int value) {
    std::printf("caught %d\n", value);
  }
}
