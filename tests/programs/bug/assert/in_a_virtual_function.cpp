//@ cflags: -fno-exceptions -fno-rtti
//@ opt: O0 O2
// An assertion in an override, reached through the base class.
#include <assert.h>

struct Base { virtual void check(int n) = 0; };
struct Strict : Base {
  void check(int n) override {
    assert(n < 10); // expect: bug assert
  }
};

Strict strict;
Base *volatile object = &strict;
volatile int n = 10;

int main() {
  object->check(n);
  return 0;
}
