//@ cflags: -std=c++17 -pthread
//@ opt: O0 O2
//@ args: --check locks
// An exception passes a function between lock() and unlock(), and the program ends with the mutex locked.
#include <cstdlib>
#include <mutex>
#include <stdexcept>

static std::mutex mutex;
volatile int balance = 5;

__attribute__((noinline)) static void withdraw(int amount) {
  mutex.lock();
  if (amount > balance)
    throw std::runtime_error("not enough");
  balance = balance - amount;
  mutex.unlock();
}

int main() {
  withdraw(2);
  try {
    withdraw(4);
  } catch (const std::runtime_error &) {
  }
  std::exit(0); // expect: bug lock-misuse
  // expect: message contains "the thread ends while it holds a mutex"
}
