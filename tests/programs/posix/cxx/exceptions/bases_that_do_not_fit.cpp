//@ cflags: -std=c++17 -Wno-inaccessible-base -Wno-exceptions
// Handlers of a base that is private, or that a class has twice, do not take an exception.
#include <cstdio>

struct Base {
  int base = 1;
};
struct Hidden : private Base {};
struct One : Base {};
struct Two : Base {};
struct Twice : One, Two {};

template <class Error> static void raise(const char *name) {
  try {
    throw Error();
  } catch (Base &) {
    std::printf("%s: its base\n", name);
  } catch (One &) {
    std::printf("%s: one of its bases\n", name);
  } catch (...) {
    std::printf("%s: no base\n", name);
  }
}

int main() {
  raise<One>("One");
  raise<Hidden>("Hidden");
  raise<Twice>("Twice");
  raise<Two>("Two");
  static Hidden hidden;
  try {
    throw &hidden;
  } catch (Base *) {
    std::puts("pointer: its base");
  } catch (Hidden *) {
    std::puts("pointer: its class");
  }
}
