//@ native: yes
//@ cflags: -std=c++17
//@ opt: O0 O2
//@ args: --check leaks
//@ paths: 5
// Whichever of four parts cannot be made, those before it are destroyed, and nothing leaks.
#include <klee/klee.h>
#include <stdio.h>

static volatile int alive;
static int bad;

struct Part {
  char *memory;
  Part() {
    if (alive == bad)
      throw alive + 0;
    alive = alive + 1;
    memory = new char[8];
  }
  ~Part() {
    delete[] memory;
    alive = alive - 1;
  }
};

struct Whole {
  Part first;
  Part rest[2];
  Part *last;
  Whole() { last = new Part; }
  ~Whole() { delete last; }
};

int main() {
  bad = klee_range(0, 5, "bad");
  try {
    Whole whole;
    printf("whole: %d alive\n", alive);
  } catch (int part) {
    printf("part %d cannot be made\n", part);
  }
  klee_assert(alive == 0);
  return 0;
}
