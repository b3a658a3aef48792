//@ cflags: -std=c++14 -Wno-deprecated -Wno-deprecated-declarations -Wno-exceptions
//@ opt: O0 O2
// What a function has not promised to throw goes to the unexpected handler, which may throw what is promised.
#include <cstdio>
#include <cstdlib>
#include <exception>

struct Promised {
  int code;
};
struct Derived : Promised {
  Derived() : Promised{5} {}
};

volatile int which;

static void raise() throw(Promised, char) {
  switch (which) {
  case 0: throw Promised{1};
  case 1: throw Derived();
  case 2: throw 'c';
  case 3: throw 42;
  }
}

static void bad() throw(std::bad_exception) { throw 42; }

static void nothing() throw() { throw 42; }

static void call(void (*function)()) {
  try {
    function();
    std::puts("nothing");
  } catch (const Promised &error) {
    std::printf("promised: %d\n", error.code);
  } catch (char letter) {
    std::printf("letter: %c\n", letter);
  } catch (const std::bad_exception &) {
    std::puts("bad_exception");
  }
}

int main() {
  std::set_unexpected([] {
    std::puts("unexpected");
    throw Promised{99};
  });
  for (which = 0; which < 5; which = which + 1)
    call(raise);
  std::set_unexpected([] { throw; });
  call(bad);
  std::set_unexpected([] {
    std::puts("the end");
    std::fflush(stdout);
    std::_Exit(6);
  });
  call(nothing);
}
