//@ cflags: -std=c++17 -pthread
//@ opt: O0 O2
// Each thread has its own thread-local variables and members, of classes and of basic types.
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> made;

struct Log {
  int number = ++made;
  std::string text;
};

struct Worker {
  static thread_local Log log;
  static inline thread_local int calls = 100;
};
thread_local Log Worker::log;

static thread_local int numbers[3] = {1, 2, 3};
extern thread_local long declared;
thread_local long declared = 7;

static void work(int steps, std::string *result) {
  for (int i = 0; i < steps; i++) {
    Worker::log.text += (char)('a' + i);
    Worker::calls++;
    numbers[i % 3] += steps;
    declared -= i;
    std::this_thread::yield();
  }
  *result = Worker::log.text + ' ' + std::to_string(Worker::calls) + ' ' + std::to_string(numbers[0]) + ' ' +
            std::to_string(numbers[2]) + ' ' + std::to_string(declared);
}

int main() {
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (int i = 1; i < 4; i++)
    threads.emplace_back(work, i, &results[i]);
  work(5, &results[0]);
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    std::printf("%s\n", result.c_str());
  std::printf("%d logs\n", made.load());
  int *own = &numbers[0], *theirs = nullptr;
  std::thread([&] { theirs = &numbers[0]; }).join();
  std::printf("%d %d\n", own != theirs, *own);
}
