//@ cflags: -std=c++17 -pthread
//@ opt: O0 O2
// A future passes the exception of its thread on to one that does not expect it.
#include <cstdio>
#include <future>
#include <stdexcept>

volatile int size = 9;

__attribute__((noinline)) static int load() {
  if (size > 4)
    throw std::length_error("too large");
  return size;
}

int main() {
  std::packaged_task<int()> task(load);
  std::future<int> loaded = task.get_future();
  task();
  int result = loaded.get(); // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type std::length_error: too large"
  std::printf("%d\n", result);
  return 0;
}
