//@ cflags: -std=c++17 -pthread
//@ opt: O0 O2
// After an exception has passed between lock() and unlock(), the next call waits for itself.
#include <mutex>
#include <stdexcept>

static std::mutex mutex;
volatile int balance = 5;

__attribute__((noinline)) static void withdraw(int amount) {
  mutex.lock(); // expect: bug deadlock
  if (amount > balance)
    throw std::runtime_error("not enough");
  balance = balance - amount;
  mutex.unlock();
}

int main() {
  for (int amount : {2, 4, 1}) {
    try {
      withdraw(amount);
    } catch (const std::runtime_error &) {
    }
  }
  return 0;
}
