//@ cflags: -std=c++17
// throw_with_nested carries the exceptions that led to one, and rethrow_if_nested gives them back in turn.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

static void show(const std::exception &error, int depth) {
  std::printf("%*s%s\n", depth * 2, "", error.what());
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception &inner) {
    show(inner, depth + 1);
  } catch (int number) {
    std::printf("%*sthe number %d\n", depth * 2 + 2, "", number);
  }
}

static void load(int level) {
  try {
    if (level == 0)
      throw 42;
    load(level - 1);
  } catch (...) {
    std::throw_with_nested(std::runtime_error("level " + std::to_string(level)));
  }
}

volatile int level = 3;

int main() {
  try {
    load(level);
  } catch (const std::runtime_error &error) {
    show(error, 0);
    auto *nested = dynamic_cast<const std::nested_exception *>(&error);
    std::printf("%d\n", nested != nullptr && nested->nested_ptr() != nullptr);
  }
  try {
    throw std::runtime_error("alone");
  } catch (const std::exception &error) {
    show(error, 0);
  }
}
