//@ native: yes
//@ cflags: -std=c++17 -pthread
// Threads, mutexes, condition variables, waiting with a limit, call_once and clocks.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::queue<int> work;
static std::atomic<int> total;
static std::once_flag once;
static thread_local int mine;

static void worker() {
  std::call_once(once, [] { std::puts("once"); });
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return !work.empty(); });
    int item = work.front();
    if (item == 0)
      break;
    work.pop();
    lock.unlock();
    mine += item;
    total += item;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back(worker);
  for (int i = 10; i >= 0; i--) {
    std::lock_guard<std::mutex> lock(mutex);
    work.push(i);
    changed.notify_all();
  }
  for (std::thread &thread : threads)
    thread.join();
  std::printf("%d %d\n", total.load(), mine);

  auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  std::unique_lock<std::mutex> lock(mutex);
  bool woken = changed.wait_for(lock, std::chrono::milliseconds(2), [] { return false; });
  auto took = std::chrono::steady_clock::now() - start;
  std::printf("%d %d\n", woken, took >= std::chrono::milliseconds(5));
  std::printf("%d\n", std::chrono::system_clock::now().time_since_epoch().count() > 0);
  std::shared_mutex readers;
  std::shared_lock<std::shared_mutex> first(readers), second(readers);
  std::printf("%d\n", readers.try_lock());
}
