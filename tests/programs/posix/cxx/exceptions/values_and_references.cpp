//@ cflags: -std=c++17
// A handler with a reference changes the exception that is rethrown; one with a value changes a copy of it.
#include <cstdio>

struct Error {
  int code;
};

volatile int start = 1;

static void by_reference() {
  try {
    throw Error{start};
  } catch (Error &error) {
    error.code += 10;
    throw;
  }
}

static void by_value() {
  try {
    by_reference();
  } catch (Error error) {
    error.code += 100;
    std::printf("the copy has %d\n", error.code);
    throw;
  }
}

int main() {
  try {
    by_value();
  } catch (const Error &error) {
    std::printf("the exception has %d\n", error.code);
  }
}
