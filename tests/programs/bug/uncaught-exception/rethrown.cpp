//@ cflags: -std=c++17
//@ opt: O0 O2
// A handler passes on what it does not know, and nobody takes it there.
#include <cstdio>
#include <stdexcept>

volatile int unknown = 1;

__attribute__((noinline)) static void raise() {
  if (unknown)
    throw std::domain_error("unknown");
}

__attribute__((noinline)) static void log() {
  try {
    raise();
  } catch (const std::exception &error) {
    std::printf("logged: %s\n", error.what());
    throw; // expect: bug uncaught-exception
    // expect: message contains "uncaught exception of type std::domain_error: unknown"
  }
}

int main() {
  log();
  return 0;
}
