//@ cflags: -std=c++17
//@ opt: O0 O2
// An exception is rethrown where none is being handled.
volatile int code = 2;

__attribute__((noinline)) static void fail() {
  if (code)
    throw; // expect: bug abort
  // expect: message contains "std::terminate called without an active exception"
}

int main() {
  try {
    fail();
  } catch (...) {
    return 1;
  }
  return 0;
}
