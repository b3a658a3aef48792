//@ cflags: -std=c++20 -pthread
//@ opt: O0 O2
// Latches, barriers and semaphores of C++20 let threads through when enough of them have come.
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

int main() {
  std::latch ready(3);
  std::atomic<int> done = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; i++)
      threads.emplace_back([&] {
        ready.arrive_and_wait();
        done++;
      });
    std::printf("%d %d\n", ready.try_wait(), done.load());
    ready.count_down();
    ready.wait();
  }
  std::printf("%d\n", done.load());

  int phase = 0, sum = 0;
  std::barrier barrier(2, [&]() noexcept { phase++; });
  auto rounds = [&](int step) {
    for (int i = 0; i < 3; i++) {
      if (phase % 2 == step)
        sum += phase + 1;
      barrier.arrive_and_wait();
    }
  };
  std::thread odd(rounds, 1);
  rounds(0);
  odd.join();
  std::printf("%d phases, sum %d\n", phase, sum);

  std::counting_semaphore<4> slots(2);
  std::binary_semaphore full(0);
  std::thread consumer([&] {
    full.acquire();
    slots.release();
  });
  slots.acquire();
  slots.acquire();
  std::printf("%d ", slots.try_acquire());
  full.release();
  slots.acquire();
  consumer.join();
  std::printf("%d\n", slots.try_acquire());
}
