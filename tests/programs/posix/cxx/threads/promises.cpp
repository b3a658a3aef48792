//@ cflags: -std=c++17 -pthread
//@ args: --check leaks
// A future gives the value or the exception that another thread leaves in its promise, and misuse throws.
#include <chrono>
#include <cstdio>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

static const char *name(const std::future_error &error) {
  return error.code() == std::future_errc::broken_promise                ? "broken promise"
         : error.code() == std::future_errc::future_already_retrieved    ? "future already retrieved"
         : error.code() == std::future_errc::promise_already_satisfied   ? "promise already satisfied"
                                                                         : "no state";
}

template <class Call> static void attempt(Call call) {
  try {
    call();
  } catch (const std::future_error &error) {
    std::printf("%s\n", name(error));
  } catch (const std::exception &error) {
    std::printf("exception: %s\n", error.what());
  }
}

int main() {
  std::promise<std::string> value, failure;
  std::future<std::string> future = value.get_future(), failed = failure.get_future();
  std::thread thread([&] {
    value.set_value("a value from another thread");
    try {
      throw std::out_of_range("an exception from another thread");
    } catch (...) {
      failure.set_exception(std::current_exception());
    }
  });
  attempt([&] { std::printf("%s\n", future.get().c_str()); });
  attempt([&] { std::printf("%s\n", failed.get().c_str()); });
  thread.join();
  std::printf("%d %d\n", future.valid(), failed.valid());
  attempt([&] { future.get(); });
  attempt([&] { value.get_future(); });
  attempt([&] { value.set_value("again"); });
  std::future<int> orphan;
  {
    std::promise<int> broken;
    orphan = broken.get_future();
    std::printf("%d\n", orphan.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
  }
  attempt([&] { std::printf("%d\n", orphan.get()); });
  std::promise<void> done;
  std::shared_future<void> shared = done.get_future().share(), copy = shared;
  done.set_exception(std::make_exception_ptr(std::runtime_error("for all who ask")));
  attempt([&] { shared.get(); });
  attempt([&] { copy.get(); });
}
