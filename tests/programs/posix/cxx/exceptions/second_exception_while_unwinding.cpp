//@ cflags: -std=c++17
// A destructor that throws while an exception passes it ends the program; one that handles its own does not.
#include <cstdio>
#include <cstdlib>
#include <exception>

struct Careful {
  ~Careful() {
    try {
      throw 'c';
    } catch (char) {
      std::puts("a destructor has handled its own exception");
    }
  }
};

struct Careless {
  ~Careless() noexcept(false) { throw 2.5; }
};

int main() {
  std::set_terminate([] {
    std::puts("terminated");
    std::fflush(stdout);
    std::_Exit(5);
  });
  try {
    Careful careful;
    throw 1;
  } catch (int) {
    std::puts("caught");
  }
  try {
    Careless careless;
  } catch (double) {
    std::puts("caught from a destructor");
  }
  try {
    Careless careless;
    throw 1;
  } catch (...) {
    std::puts("it must not come here");
  }
}
