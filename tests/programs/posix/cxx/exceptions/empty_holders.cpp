//@ cflags: -std=c++17
// any, variant, optional, function and weak_ptr throw exceptions of their own where they lack a value.
#include <any>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <variant>

template <class Error, class Call> static void attempt(const char *name, Call call) {
  try {
    std::printf("%s: %d\n", name, call());
  } catch (const Error &error) {
    std::printf("%s: %s\n", name, error.what());
  }
}

int main() {
  std::any any = 4;
  attempt<std::bad_any_cast>("any", [&] { return std::any_cast<int>(any); });
  attempt<std::bad_cast>("any", [&] { return (int)std::any_cast<long>(any); });
  std::variant<int, std::string> variant = 5;
  attempt<std::bad_variant_access>("variant", [&] { return std::get<int>(variant); });
  attempt<std::bad_variant_access>("variant", [&] { return (int)std::get<1>(variant).size(); });
  std::optional<int> optional = 6;
  attempt<std::bad_optional_access>("optional", [&] { return optional.value(); });
  optional.reset();
  attempt<std::bad_optional_access>("optional", [&] { return optional.value(); });
  std::function<int()> function = [] { return 7; };
  attempt<std::bad_function_call>("function", [&] { return function(); });
  function = nullptr;
  attempt<std::bad_function_call>("function", [&] { return function(); });
  auto shared = std::make_shared<int>(8);
  std::weak_ptr<int> weak = shared;
  attempt<std::bad_weak_ptr>("weak_ptr", [&] { return *std::shared_ptr<int>(weak); });
  shared.reset();
  attempt<std::bad_weak_ptr>("weak_ptr", [&] { return *std::shared_ptr<int>(weak); });
}
