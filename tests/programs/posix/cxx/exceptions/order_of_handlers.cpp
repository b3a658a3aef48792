//@ cflags: -std=c++17 -Wno-exceptions
// The first handler that fits takes an exception, also if a later one names its class.
#include <cstdio>
#include <stdexcept>

struct Derived : std::runtime_error {
  using std::runtime_error::runtime_error;
};

volatile int which;

static void raise() {
  switch (which) {
  case 0: throw Derived("derived");
  case 1: throw std::runtime_error("runtime error");
  case 2: throw std::out_of_range("out of range");
  case 3: throw std::exception();
  default: throw which + 0;
  }
}

int main() {
  for (which = 0; which < 5; which = which + 1) {
    try {
      raise();
    } catch (const std::logic_error &error) {
      std::printf("logic_error: %s\n", error.what());
    } catch (const std::runtime_error &error) {
      std::printf("runtime_error: %s\n", error.what());
    } catch (const Derived &error) {
      std::printf("Derived: %s\n", error.what());
    } catch (const std::exception &error) {
      std::printf("exception: %s\n", error.what());
    } catch (...) {
      std::puts("anything");
    }
  }
}
