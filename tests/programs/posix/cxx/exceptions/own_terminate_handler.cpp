//@ cflags: -std=c++17
// An exception that nobody takes is the current one in the program's own terminate handler.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

volatile int port = -1;

static void open() {
  if (port < 0)
    throw std::invalid_argument("bad port");
}

int main() {
  std::set_terminate([] {
    try {
      throw;
    } catch (const std::logic_error &error) {
      std::printf("nobody takes: %s\n", error.what());
    }
    std::fflush(stdout);
    std::_Exit(4);
  });
  try {
    open();
  } catch (const std::runtime_error &error) {
    std::puts(error.what());
  }
}
