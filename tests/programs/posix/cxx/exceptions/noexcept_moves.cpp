//@ cflags: -std=c++17 -Wno-unevaluated-expression
// The noexcept operator looks at declarations, and a growing vector copies elements whose move may throw.
#include <cstdio>
#include <utility>
#include <vector>

template <bool SAFE> struct Element {
  static inline int copies, moves;
  Element() = default;
  Element(const Element &) { copies++; }
  Element(Element &&) noexcept(SAFE) { moves++; }
};

static void may_throw() {}
static void never_throws() noexcept {}
template <class Call> static void calls(Call call) noexcept(noexcept(call())) { call(); }
struct Destructor {
  ~Destructor() noexcept(false) {}
};

template <bool SAFE> static void grow() {
  std::vector<Element<SAFE>> elements(4);
  elements.reserve(elements.capacity() + 1);
  std::printf("%d: %d copies, %d moves\n", SAFE, Element<SAFE>::copies, Element<SAFE>::moves);
}

int main() {
  std::printf("%d %d\n", noexcept(may_throw()), noexcept(never_throws()));
  std::printf("%d %d\n", noexcept(calls(may_throw)), noexcept(calls(never_throws)));
  std::printf("%d %d\n", noexcept(Destructor()), noexcept(Element<true>()));
  std::printf("%d %d\n", noexcept(throw 1), noexcept(new int));
  may_throw();
  never_throws();
  grow<false>();
  grow<true>();
}
