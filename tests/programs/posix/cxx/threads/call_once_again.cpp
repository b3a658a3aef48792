//@ cflags: -std=c++17 -pthread
// call_once is over when its function returns; if the function throws, the next caller calls it again.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::once_flag flag;
static std::atomic<int> attempts, failures, returned;

static void initialise() {
  int attempt = ++attempts;
  std::this_thread::yield();
  if (attempt < 3)
    throw std::runtime_error("not yet");
}

static void use() {
  for (int i = 0; i < 3; i++) {
    try {
      std::call_once(flag, initialise);
      returned++;
    } catch (const std::runtime_error &) {
      failures++;
    }
  }
}

int main() {
  std::thread failing([] {
    try {
      std::call_once(flag, initialise);
    } catch (const std::runtime_error &error) {
      std::printf("%s\n", error.what());
    }
  });
  failing.join();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back(use);
  for (std::thread &thread : threads)
    thread.join();
  std::printf("%d attempts, %d failures, %d returned\n", attempts.load(), failures.load(), returned.load());
  std::call_once(flag, [] { std::puts("never"); });
}
