//@ cflags: -std=c++17 -pthread
// What cannot be done with threads and locks throws system_error with a code that says why.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <thread>

template <class Call> static void attempt(const char *name, Call call) {
  try {
    call();
    std::printf("%s: done\n", name);
  } catch (const std::system_error &error) {
    const char *why = error.code() == std::errc::invalid_argument                ? "invalid argument"
                      : error.code() == std::errc::no_such_process               ? "no such process"
                      : error.code() == std::errc::operation_not_permitted       ? "not permitted"
                      : error.code() == std::errc::resource_deadlock_would_occur ? "deadlock"
                                                                                 : "another reason";
    std::printf("%s: %s\n", name, why);
  }
}

int main() {
  std::thread none, thread([] {});
  attempt("join none", [&] { none.join(); });
  attempt("detach none", [&] { none.detach(); });
  std::printf("%d %d\n", none.joinable(), thread.joinable());
  attempt("join", [&] { thread.join(); });
  attempt("join again", [&] { thread.join(); });
  thread = std::thread([] {});
  none.swap(thread);
  attempt("detach", [&] { none.detach(); });
  std::printf("%d %d\n", none.joinable(), none.get_id() == std::thread::id());

  std::mutex mutex;
  std::unique_lock<std::mutex> lock(mutex), empty;
  attempt("lock again", [&] { lock.lock(); });
  attempt("lock nothing", [&] { empty.lock(); });
  lock.unlock();
  attempt("unlock again", [&] { lock.unlock(); });
  std::shared_mutex shared;
  std::shared_lock<std::shared_mutex> reading(shared);
  attempt("share again", [&] { reading.lock(); });
}
