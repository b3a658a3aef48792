//@ cflags: -std=c++17 -pthread
// Packaged tasks run in the threads that call them, and their futures have what they returned or threw.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::deque<std::packaged_task<int()>> tasks;

// Runs tasks until it gets one that is empty.
static void work() {
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return !tasks.empty(); });
    auto task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    if (!task.valid())
      return;
    task();
  }
}

static std::future<int> add(std::packaged_task<int()> task) {
  std::future<int> result;
  if (task.valid())
    result = task.get_future();
  std::lock_guard<std::mutex> lock(mutex);
  tasks.push_back(std::move(task));
  changed.notify_one();
  return result;
}

int main() {
  std::thread one(work), other(work);
  std::vector<std::future<int>> results;
  for (int i = 0; i < 6; i++)
    results.push_back(add(std::packaged_task<int()>([i] {
      if (i % 4 == 2)
        throw std::domain_error("task " + std::to_string(i));
      return i * i;
    })));
  add({});
  add({});
  one.join();
  other.join();
  for (auto &result : results) {
    try {
      std::printf("%d\n", result.get());
    } catch (const std::domain_error &error) {
      std::printf("%s\n", error.what());
    }
  }
  std::packaged_task<int(int)> task([](int n) { return n + 1; });
  task(1);
  std::printf("%d ", task.get_future().get());
  task.reset();
  task(3);
  std::printf("%d\n", task.get_future().get());
}
