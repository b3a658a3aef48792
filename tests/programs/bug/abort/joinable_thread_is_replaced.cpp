//@ cflags: -std=c++17 -pthread
//@ opt: O0 O2
// A thread object that nobody has joined is given another thread.
#include <thread>

static std::thread thread;

__attribute__((noinline)) static void replace(std::thread &&other) {
  thread = std::move(other); // expect: bug abort
  // expect: message contains "std::terminate called without an active exception"
}

int main() {
  replace(std::thread([] {}));
  replace(std::thread([] {}));
  thread.join();
  return 0;
}
