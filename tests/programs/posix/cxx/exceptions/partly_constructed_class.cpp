//@ cflags: -std=c++17
//@ opt: O0 O2
// If a constructor throws, the bases and members that are complete are destroyed, and the object is not.
#include <cstdio>

volatile int bad;

struct Part {
  int id;
  explicit Part(int id) : id(id) {
    if (id == bad)
      throw id;
    std::printf("+%d ", id);
  }
  ~Part() { std::printf("-%d ", id); }
};

struct Root : Part {
  Root() : Part(1) {}
};

struct Base : virtual Root {
  Part member{2};
  Base() {
    if (bad == 3)
      throw 3;
  }
  ~Base() { std::printf("-base "); }
};

struct Whole : Base {
  Part first, second;
  Whole() : first(4), second(5) {
    if (bad == 6)
      throw 6;
    std::printf("+whole ");
  }
  ~Whole() { std::printf("-whole "); }
};

int main() {
  for (bad = 1; bad <= 7; bad = bad + 1) {
    try {
      Whole whole;
    } catch (int id) {
      std::printf("caught %d", id);
    }
    std::puts("");
  }
}
