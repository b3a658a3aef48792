//@ cflags: -std=c++17
//@ args: --check leaks
// A lambda that throws gives its captures back, also when it is kept in a std::function or recursive.
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>

static int alive;

struct Counted {
  Counted() { alive++; }
  Counted(const Counted &) { alive++; }
  ~Counted() { alive--; }
};

volatile int limit = 4;

int main() {
  auto owned = std::make_unique<std::string>("a text that the lambda owns from now on");
  try {
    [kept = std::move(owned), counted = Counted()]() mutable {
      kept->append("!");
      throw kept->size();
    }();
  } catch (std::size_t size) {
    std::printf("%zu, %d alive\n", size, alive);
  }
  {
    Counted counted;
    std::function<int(int)> countdown = [&countdown, counted](int n) {
      Counted each = counted;
      if (n == 0)
        throw alive;
      return countdown(n - 1) + 1;
    };
    try {
      std::printf("%d\n", countdown(limit));
    } catch (int seen) {
      std::printf("%d at the end, %d after it\n", seen - alive, alive);
    }
  }
  auto guarded = [](auto call) noexcept {
    try {
      return call();
    } catch (const char *text) {
      return std::string(text);
    }
  };
  std::printf("%s\n", guarded([]() -> std::string { throw "thrown in a generic lambda"; }).c_str());
  std::printf("%d alive\n", alive);
}
