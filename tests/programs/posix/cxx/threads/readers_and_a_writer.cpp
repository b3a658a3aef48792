//@ cflags: -std=c++17 -pthread
//@ args: --check locks
// A shared_mutex lets readers in together and a writer alone; timed mutexes give up in time.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

using namespace std::chrono_literals;

static std::shared_mutex mutex;
static std::map<int, std::string> table;
static std::atomic<int> inside, together, found;

static void read() {
  std::shared_lock<std::shared_mutex> lock(mutex);
  inside++;
  while (together < 2 && inside < 2)
    std::this_thread::yield();
  together++;
  for (const auto &[key, text] : table)
    found += text.size() == 3 && key < 2;
}

int main() {
  std::thread one, other;
  {
    std::unique_lock<std::shared_mutex> lock(mutex);
    one = std::thread(read);
    other = std::thread(read);
    table[0] = "one";
    std::this_thread::yield();
    table[1] = "two";
    std::printf("%d inside\n", inside.load());
  }
  one.join();
  other.join();
  std::printf("%d together, %d found\n", together.load(), found.load());

  std::recursive_mutex recursive;
  std::lock_guard<std::recursive_mutex> outer(recursive), inner(recursive);
  std::timed_mutex timed;
  std::shared_timed_mutex shared;
  timed.lock();
  shared.lock_shared();
  std::thread([&] {
    bool got[] = {recursive.try_lock(), timed.try_lock_for(1ms), shared.try_lock_for(1ms),
                  shared.try_lock_shared_until(std::chrono::steady_clock::now() + 1ms)};
    std::printf("%d %d %d %d\n", got[0], got[1], got[2], got[3]);
    shared.unlock_shared();
  }).join();
  shared.unlock_shared();
  timed.unlock();
  std::unique_lock<std::timed_mutex> lock(timed, 1ms);
  std::printf("%d\n", lock.owns_lock());
}
