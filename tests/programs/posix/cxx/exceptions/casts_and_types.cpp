//@ cflags: -std=c++17 -Wno-potentially-evaluated-expression
// dynamic_cast of a reference throws bad_cast if it does not fit, and typeid of what is not there bad_typeid.
#include <cstdio>
#include <typeinfo>

struct Base {
  virtual ~Base() {}
};
struct One : Base {
  int one = 1;
};
struct Two : Base {
  int two = 2;
};

static One one;
static Two two;
Base *volatile object;

template <class Call> static void attempt(Call call) {
  try {
    std::printf("%d\n", call());
  } catch (const std::bad_cast &error) {
    std::printf("bad_cast: %s\n", error.what());
  } catch (const std::bad_typeid &error) {
    std::printf("bad_typeid: %s\n", error.what());
  }
}

int main() {
  Base *const objects[] = {&one, &two, nullptr};
  for (Base *next : objects) {
    object = next;
    attempt([] { return (int)(typeid(*object) == typeid(One)); });
    if (next)
      attempt([] { return dynamic_cast<const One &>(*object).one; });
  }
}
