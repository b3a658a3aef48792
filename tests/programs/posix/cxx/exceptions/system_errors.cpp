//@ cflags: -std=c++17
// A system_error has the code of what failed, which is compared with conditions of any category.
#include <cerrno>
#include <cstdio>
#include <future>
#include <ios>
#include <string>
#include <system_error>

class Weather : public std::error_category {
public:
  const char *name() const noexcept override { return "weather"; }
  std::string message(int value) const override { return value == 1 ? "rain" : "sun"; }
  bool equivalent(int value, const std::error_condition &condition) const noexcept override {
    return value == 1 && condition == std::errc::operation_canceled;
  }
};

static const Weather weather;

static void raise(std::error_code code, const char *what) { throw std::system_error(code, what); }

template <class Call> static void attempt(Call call) {
  try {
    call();
  } catch (const std::system_error &error) {
    const std::error_code &code = error.code();
    std::printf("%s %d, %d %d\n", code.category().name(), code.value(),
                code == std::errc::no_such_file_or_directory, code == std::errc::operation_canceled);
    std::printf("%d %d\n", (bool)code, code.default_error_condition().category() == code.category());
  }
}

int main() {
  attempt([] { raise({ENOENT, std::generic_category()}, "open"); });
  attempt([] { raise({ENOENT, std::system_category()}, "open"); });
  attempt([] { raise(std::error_code(1, weather), "a walk"); });
  attempt([] { raise(std::error_code(), "no error"); });
  attempt([] { raise(std::make_error_code(std::errc::operation_canceled), "send"); });
  attempt([] { throw std::ios_base::failure("stream"); });
  try {
    raise(std::error_code(1, weather), "a walk");
  } catch (const std::runtime_error &error) {
    std::printf("%s\n", error.what());
  }
  try {
    throw std::future_error(std::future_errc::no_state);
  } catch (const std::logic_error &error) {
    std::printf("%s\n", error.what());
  }
}
