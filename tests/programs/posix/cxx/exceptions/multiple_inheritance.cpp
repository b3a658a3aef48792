//@ cflags: -std=c++17
//@ opt: O0 O2
// A handler of any base class finds its own part of an exception with several bases.
#include <cstdio>

struct First {
  int first = 1;
};
struct Second {
  int second = 2;
  virtual int number() const { return second; }
};
struct Third {
  int third[3] = {3, 33, 333};
};
struct All final : First, Second, Third {
  int own = 4;
  int number() const override { return own; }
};

volatile int own = 44;

static void raise() {
  All all;
  all.own = own;
  throw all;
}

int main() {
  try {
    raise();
  } catch (const First &part) {
    std::printf("%d\n", part.first);
  }
  try {
    raise();
  } catch (Second &part) {
    const All &all = static_cast<const All &>(part);
    std::printf("%d %d %d %d\n", part.second, part.number(), all.first, all.third[1]);
  }
  try {
    raise();
  } catch (const Third &part) {
    std::printf("%d %d\n", part.third[0], part.third[2]);
  }
  try {
    throw new All;
  } catch (const Third *part) {
    std::printf("%d\n", part->third[2]);
    delete static_cast<const All *>(part);
  }
}
