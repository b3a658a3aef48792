//@ cflags: -std=c++17 -pthread
//@ opt: O0 O2
// The thread that throws is not the one that has a handler.
#include <stdexcept>
#include <thread>

volatile int port = -1;

__attribute__((noinline)) static void serve() {
  if (port < 0)
    throw std::runtime_error("bad port"); // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type std::runtime_error: bad port"
}

int main() {
  try {
    std::thread thread(serve);
    thread.join();
  } catch (const std::runtime_error &) {
    return 1;
  }
  return 0;
}
