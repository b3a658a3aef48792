//@ native: yes
//@ cflags: -std=c++17
// Smart pointers, functions, optional, variant, tuples, aligned and nothrow new.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <variant>

struct Loud {
  int id;
  explicit Loud(int id) : id(id) { std::printf("made %d\n", id); }
  ~Loud() { std::printf("gone %d\n", id); }
};

struct alignas(64) Wide {
  char bytes[64];
};

struct Visitor {
  int operator()(int x) const { return x; }
  int operator()(const std::string &text) const { return (int)text.size() * 100; }
};

static const std::string &name() {
  static std::string made_once = "a name that is made when it is first asked for";
  return made_once;
}

int main() {
  std::shared_ptr<Loud> shared = std::make_shared<Loud>(1);
  std::weak_ptr<Loud> weak = shared;
  {
    auto unique = std::make_unique<Loud>(2);
    std::shared_ptr<Loud> copy = shared;
    std::printf("%ld %d\n", shared.use_count(), unique->id);
  }
  shared.reset();
  std::printf("%d\n", weak.expired());
  int base = 10;
  std::function<int(int)> add = [&base](int x) { return base + x; }, none;
  base = 20;
  std::printf("%d %d %d\n", add(1), std::bind(add, 5)(), !none);
  std::optional<int> nothing, something = 4;
  std::printf("%d %d\n", nothing.value_or(7), *something);
  std::variant<int, std::string> either = 3;
  std::printf("%d ", std::visit(Visitor(), either));
  either = std::string("abc");
  std::printf("%d %zu\n", std::visit(Visitor(), either), either.index());
  auto [number, text] = std::make_tuple(1, std::string("two"));
  std::printf("%d %s %zu\n", number, text.c_str(), name().size());
  Wide *wide = new Wide;
  std::printf("%d\n", (int)((uintptr_t)wide % alignof(Wide)));
  delete wide;
  int *array = new (std::nothrow) int[5]();
  std::printf("%d\n", array[4]);
  delete[] array;
  std::mt19937 random(42);
  std::printf("%u\n", (unsigned)random());
}
