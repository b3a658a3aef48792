//@ cflags: -std=c++17
//@ opt: O0 O2
// The handlers are of types that the exception does not have: nothing is converted on the way.
#include <string>

struct Base {};
struct Error : private Base {};

volatile int which = 1;

__attribute__((noinline)) static void raise() {
  if (which)
    throw Error(); // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type Error"
}

int main() {
  try {
    raise();
  } catch (const Base &) {
    return 1;
  } catch (const Error *) {
    return 2;
  } catch (const std::string &) {
    return 3;
  }
  return 0;
}
