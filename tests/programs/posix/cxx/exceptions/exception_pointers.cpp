//@ cflags: -std=c++17
//@ args: --check leaks
// An exception_ptr keeps its exception beyond the handler, and rethrows that very object.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

struct Loud {
  int id;
  explicit Loud(int id) : id(id) {}
  Loud(const Loud &other) : id(other.id) { std::puts("copied"); }
  ~Loud() { std::printf("end of %d\n", id); }
};

volatile int id = 3;

static std::exception_ptr keep() {
  try {
    throw Loud(id);
  } catch (Loud &loud) {
    loud.id += 10;
    return std::current_exception();
  }
}

int main() {
  std::exception_ptr none, kept = keep(), same = kept;
  std::printf("%d %d %d\n", none == nullptr, kept == same, std::current_exception() == nullptr);
  for (int i = 0; i < 2; i++) {
    try {
      std::rethrow_exception(same);
    } catch (Loud &loud) {
      std::printf("rethrown: %d\n", loud.id);
      loud.id++;
      std::printf("%d\n", std::current_exception() == kept);
    }
  }
  kept = nullptr;
  std::puts("one pointer is left");
  same = nullptr;
  auto made = std::make_exception_ptr(std::out_of_range("a range that is made without a throw"));
  try {
    std::rethrow_exception(made);
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
  }
}
