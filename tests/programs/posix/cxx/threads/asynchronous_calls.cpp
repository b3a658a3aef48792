//@ cflags: -std=c++17 -pthread
// async runs a function in a thread or when its result is asked for, and passes its exception on.
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static long sum(const std::vector<int> &numbers, std::size_t from, std::size_t to) {
  if (to - from <= 25)
    return std::accumulate(numbers.begin() + from, numbers.begin() + to, 0L);
  std::size_t middle = (from + to) / 2;
  auto upper = std::async(std::launch::async, sum, std::cref(numbers), middle, to);
  return sum(numbers, from, middle) + upper.get();
}

int main() {
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 1);
  std::printf("%ld\n", sum(numbers, 0, numbers.size()));
  std::thread::id here = std::this_thread::get_id();
  auto there = std::async(std::launch::async, [] { return std::this_thread::get_id(); });
  int calls = 0;
  auto lazy = std::async(std::launch::deferred, [&] {
    calls++;
    return std::this_thread::get_id();
  });
  bool deferred = lazy.wait_for(std::chrono::seconds(0)) == std::future_status::deferred;
  std::printf("%d %d ", deferred, calls);
  bool same = lazy.get() == here;
  std::printf("%d %d %d\n", calls, same, there.get() == here);
  for (std::launch how : {std::launch::async, std::launch::deferred}) {
    auto fails = [](std::unique_ptr<int> n) -> int {
      throw std::runtime_error("number " + std::to_string(*n));
    };
    auto failed = std::async(how, fails, std::make_unique<int>(5));
    try {
      std::printf("%d\n", failed.get());
    } catch (const std::runtime_error &error) {
      std::printf("%s\n", error.what());
    }
  }
}
