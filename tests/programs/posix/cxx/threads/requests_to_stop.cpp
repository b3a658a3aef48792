//@ cflags: -std=c++20 -pthread
// A jthread is asked to stop and joined when it goes; a stop request wakes what waits, and calls back.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;
static std::atomic<int> stopped, called, flag;

static void wait(std::stop_token stop) {
  std::unique_lock<std::mutex> lock(mutex);
  if (!changed.wait(lock, stop, [] { return false; }))
    stopped++;
}

int main() {
  {
    std::jthread spinning([](std::stop_token stop) {
      while (!stop.stop_requested())
        std::this_thread::yield();
      stopped++;
    });
    std::jthread plain([] { called++; });
  }
  std::printf("%d stopped, %d called\n", stopped.load(), called.load());
  std::jthread waiting(wait);
  std::stop_token token = waiting.get_stop_token();
  std::stop_callback callback(token, [] { called += 10; });
  {
    std::stop_callback gone(token, [] { called += 100; });
  }
  std::printf("%d ", token.stop_requested());
  std::printf("%d ", waiting.request_stop());
  std::printf("%d\n", waiting.request_stop());
  waiting.join();
  std::stop_callback late(token, [] { called += 1000; });
  std::printf("%d stopped, %d called\n", stopped.load(), called.load());

  std::jthread notifier([] {
    flag = 1;
    flag.notify_one();
  });
  flag.wait(0);
  std::stop_source none(std::nostopstate);
  std::printf("%d %d %d\n", flag.load(), none.request_stop(), std::jthread().request_stop());
}
