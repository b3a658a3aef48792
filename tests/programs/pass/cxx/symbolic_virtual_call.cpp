//@ cflags: -fno-exceptions -fno-rtti
//@ opt: O0 O2
//@ paths: 3
// A virtual call on one of three objects chosen by a symbolic index runs each override.
#include <assert.h>
#include <klee/klee.h>

struct Animal { virtual int legs() = 0; };
struct Bird : Animal { int legs() override { return 2; } };
struct Dog : Animal { int legs() override { return 4; } };
struct Ant : Animal { int legs() override { return 6; } };

Bird bird;
Dog dog;
Ant ant;
Animal *animals[] = {&bird, &dog, &ant};

int main() {
  unsigned i = (unsigned)klee_range(0, 3, "i");
  volatile int legs = animals[i]->legs();
  assert(legs == (int)(i + 1) * 2);
  return 0;
}
