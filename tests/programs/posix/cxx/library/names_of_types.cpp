//@ cflags: -std=c++17
// The names of types are those of the ABI, and __cxa_demangle makes them readable.
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

namespace outer {
template <class Value, int SIZE> struct Box {
  struct Inner {};
  virtual ~Box() = default;
};
enum class Colour { RED };
} // namespace outer

static void show(const char *mangled) {
  int status = 7;
  char *readable = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::unique_ptr<char, void (*)(void *)> name(readable, std::free);
  std::printf("%s: %d %s\n", mangled, status, name ? name.get() : "-");
}

template <class Type> static void show() { show(typeid(Type).name()); }

int main() {
  show<int>();
  show<const char *const *>();
  show<outer::Colour>();
  show<outer::Box<long, 3>::Inner>();
  show<int (*)(double, ...)>();
  show<void (outer::Box<char, -1>::*)(int &) const>();
  show<std::string>();
  show<std::vector<std::map<int, unsigned char>>>();
  show<std::nullptr_t>();
  outer::Box<outer::Colour, 0> box;
  show(typeid(box).name());
  show("_ZN5outer3BoxIcLi4EED0Ev");
  show("_ZNSt6vectorIiSaIiEE9push_backEOi");
  show("not a mangled name");
}
