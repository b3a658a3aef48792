// A thread that ends by pthread_exit, thrd_exit or a cancellation leaves its frames: destructors of local objects run,
// handlers of everything throw on, and cleanup handlers and destructors of thread-local data come last.
#include <cxxabi.h>
#include <cstdio>
#include <memory>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>

struct Noisy {
  std::string name;
  explicit Noisy(const char *name) : name(name) {}
  ~Noisy() { std::printf("  ~%s\n", name.c_str()); }
};

static thread_local Noisy of_thread("thread-local");

static void *at_once(void *result) {
  Noisy only("only");
  pthread_exit(result);
}

static void deeper(int depth, void *result) {
  Noisy local(depth % 2 ? "odd" : "even");
  if (depth == 0)
    pthread_exit(result);
  deeper(depth - 1, result);
}

static void *from_below(void *result) {
  of_thread.name += " of a thread";
  auto owned = std::make_unique<Noisy>("owned");
  deeper(3, result);
  return nullptr;
}

static void *through_handlers(void *result) {
  try {
    Noisy inner("inner");
    try {
      pthread_exit(result);
    } catch (const std::string &) {
      std::puts("  never");
    } catch (abi::__forced_unwind &) {
      std::puts("  the thread ends");
      throw;
    }
  } catch (...) {
    std::puts("  anything");
    throw;
  }
  return nullptr;
}

static void *while_an_exception_is_handled(void *result) {
  Noisy outer("outer");
  try {
    throw 5;
  } catch (int value) {
    std::printf("  caught %d\n", value);
    Noisy inner("in the handler");
    pthread_exit(result);
  }
  return nullptr;
}

static int ends[2];

static void *until_cancelled(void *) {
  Noisy waiting("waiting");
  char byte;
  pthread_cleanup_push([](void *text) { std::printf("  %s\n", static_cast<char *>(text)); }, (void *)"cleanup");
  while (read(ends[0], &byte, 1) >= 0) {
  }
  pthread_cleanup_pop(0);
  return nullptr;
}

static void show(const char *what, void *(*run)(void *), bool cancels = false) {
  pthread_t thread;
  void *result = nullptr;
  int answer = 42;
  std::puts(what);
  pthread_create(&thread, nullptr, run, &answer);
  if (cancels) {
    usleep(20000);
    pthread_cancel(thread);
  }
  pthread_join(thread, &result);
  std::printf("  %s\n", result == &answer ? "its result" : result == PTHREAD_CANCELED ? "cancelled" : "another result");
}

int main() {
  if (pipe(ends) != 0)
    return 1;
  show("at once", at_once);
  show("from below", from_below);
  show("through handlers", through_handlers);
  show("while an exception is handled", while_an_exception_is_handled);
  show("cancelled", until_cancelled, true);
  std::thread([] {
    Noisy local("of a std::thread");
    pthread_exit(nullptr);
  }).join();
  std::fflush(stdout);
  return 0;
}
