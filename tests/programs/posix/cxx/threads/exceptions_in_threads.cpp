//@ cflags: -std=c++17 -pthread
//@ opt: O0 O2
// Threads throw and catch at the same time, each with handlers and counts of its own.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

struct Result {
  int caught = 0, uncaught = 0;
  std::string last;
};

struct Watch {
  Result &result;
  ~Watch() { result.uncaught += std::uncaught_exceptions(); }
};

static void deep(int depth, int id, Result &result) {
  Watch watch{result};
  std::this_thread::yield();
  if (depth == 0)
    throw std::runtime_error("thread " + std::to_string(id));
  deep(depth - 1, id, result);
}

static void work(int id, Result &result) {
  for (int i = 0; i < 5; i++) {
    try {
      deep(i, id, result);
    } catch (const std::exception &error) {
      std::this_thread::yield();
      result.caught++;
      result.last = error.what();
      if (std::current_exception() == nullptr || std::uncaught_exceptions() != 0)
        result.last += " is wrong";
    }
  }
}

int main() {
  Result results[3];
  std::thread one(work, 1, std::ref(results[1])), two(work, 2, std::ref(results[2]));
  work(0, results[0]);
  one.join();
  two.join();
  for (const Result &result : results)
    std::printf("%s: %d caught, %d seen on their way\n", result.last.c_str(), result.caught, result.uncaught);
}
