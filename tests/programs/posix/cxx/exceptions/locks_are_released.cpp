//@ cflags: -std=c++17 -pthread
//@ args: --check locks
// lock_guard, unique_lock, scoped_lock and shared_lock release their mutexes when an exception passes them.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex, other;
static std::shared_mutex shared;
static int balance = 10;

static void withdraw(int amount) {
  std::lock_guard<std::mutex> lock(mutex);
  if (amount > balance)
    throw std::runtime_error("not enough");
  balance -= amount;
}

static void check(int amount) {
  std::shared_lock<std::shared_mutex> reading(shared);
  std::scoped_lock both(mutex, other);
  std::unique_lock<std::mutex> late(mutex, std::defer_lock);
  if (amount)
    throw amount;
}

int main() {
  std::thread thread([] {
    for (int amount : {4, 40, 5}) {
      try {
        withdraw(amount);
      } catch (const std::runtime_error &error) {
        std::printf("%d: %s\n", amount, error.what());
      }
    }
  });
  thread.join();
  try {
    check(balance);
  } catch (int amount) {
    std::printf("left: %d\n", amount);
  }
  const bool unlocked[] = {mutex.try_lock(), other.try_lock(), shared.try_lock()};
  std::printf("%d %d %d\n", unlocked[0], unlocked[1], unlocked[2]);
  mutex.unlock();
  other.unlock();
  shared.unlock();
}
