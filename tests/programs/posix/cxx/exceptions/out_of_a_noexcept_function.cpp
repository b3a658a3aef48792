//@ cflags: -std=c++17 -Wno-exceptions
//@ opt: O0 O2
// An exception that would leave a noexcept function ends the program by its own handler of such ends.
#include <cstdio>
#include <cstdlib>
#include <exception>

volatile int number = 7;

static void raise() {
  if (number)
    throw number + 0;
}

static void promises() noexcept {
  try {
    raise();
  } catch (double) {
    std::puts("a handler of another type");
  }
}

[[noreturn]] static void ends() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (int value) {
    std::printf("terminated by %d\n", value);
  }
  std::fflush(stdout);
  std::_Exit(3);
}

int main() {
  std::set_terminate(ends);
  std::printf("%d\n", std::get_terminate() == ends);
  try {
    promises();
  } catch (int) {
    std::puts("it must not come here");
  }
}
