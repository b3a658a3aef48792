//@ cflags: -std=c++17
// An optional whose new value throws is empty, and a variant has no value; assignments may keep the old one.
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

struct Even {
  int number;
  ~Even() {}
  Even(int number) : number(number) {
    if (number % 2)
      throw std::domain_error("odd");
  }
};

struct Copied {
  Copied() = default;
  Copied(const Copied &) { throw std::domain_error("not copied"); }
  Copied &operator=(const Copied &) = default;
};

using Variant = std::variant<std::string, Even, Copied>;

template <class Call> static void attempt(const char *name, Call call) {
  try {
    call();
    std::printf("%s: done\n", name);
  } catch (const std::exception &error) {
    std::printf("%s: %s\n", name, error.what());
  }
}

volatile int odd = 3;

int main() {
  std::optional<Even> optional(4);
  attempt("optional assigned", [&] { optional = Even(odd); });
  std::printf("%d %d\n", optional.has_value(), optional.has_value() ? optional->number : 0);
  attempt("optional emplaced", [&] { optional.emplace(odd); });
  std::printf("%d\n", optional.has_value());
  Variant variant = "text";
  attempt("variant converted", [&] { variant = (int)odd; });
  std::printf("%zu\n", variant.index());
  attempt("variant emplaced", [&] { variant.emplace<Even>(odd); });
  std::printf("%d\n", variant.valueless_by_exception());
  attempt("variant visited", [&] { std::visit([](const auto &) {}, variant); });
  const Copied copied;
  variant = "again";
  attempt("variant copied into", [&] { variant = copied; });
  std::printf("%zu %d\n", variant.index() + 1, variant.valueless_by_exception());
}
