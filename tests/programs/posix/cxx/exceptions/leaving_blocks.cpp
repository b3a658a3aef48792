//@ cflags: -std=c++17
//@ opt: O0 O2
// return, break, continue and goto leave blocks and handlers, and end the exception that is handled there.
#include <cstdio>

struct Loud {
  int id;
  explicit Loud(int id) : id(id) {}
  Loud(const Loud &) = delete;
  ~Loud() { std::printf("end of %d; ", id); }
};

volatile int which;

static int leave() {
  for (int turn = 0; turn < 3; turn++) {
    Loud local(10 + turn);
    try {
      Loud tried(20 + turn);
      if (which == 0)
        return 100;
      if (which == 1)
        break;
      if (which == 2)
        continue;
      if (which == 3 && turn == 1)
        goto out;
      throw Loud(30 + turn);
    } catch (const Loud &loud) {
      if (which == 4)
        return loud.id;
      if (which == 5)
        break;
      if (which == 6 && turn < 2)
        continue;
      if (which == 7)
        goto out;
    }
    std::printf("turn %d; ", turn);
  }
  std::printf("behind the loop; ");
out:
  return -1;
}

int main() {
  for (which = 0; which < 9; which = which + 1)
    std::printf("%d\n", leave());
}
