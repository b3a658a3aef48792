//@ cflags: -std=c++17 -Wno-exceptions
// A handler of a pointer takes pointers to derived classes and to less const objects; void * takes any.
#include <cstdio>

struct Base {
  int id;
};
struct Other {
  int other;
};
struct Derived : Other, Base {};

static Derived derived;
static const Base constant{5};
static int number = 6;
static int *pointer = &number;

template <class Error> static void raise(Error error) {
  try {
    throw error;
  } catch (Derived *) {
    std::puts("Derived *");
  } catch (Base *base) {
    std::printf("Base *: %d\n", base->id);
  } catch (const Base *base) {
    std::printf("const Base *: %d\n", base ? base->id : -1);
  } catch (const char *text) {
    std::printf("const char *: %s\n", text);
  } catch (int *const *where) {
    std::printf("int *const *: %d\n", **where);
  } catch (const void *any) {
    std::printf("const void *: %s\n", any == &number ? "the number" : "null");
  } catch (...) {
    std::puts("a pointer to a function");
  }
}

int main() {
  derived.id = 4;
  raise(&derived);
  raise(static_cast<const Derived *>(&derived));
  raise(static_cast<Base *>(&derived));
  raise(&constant);
  raise("text");
  raise(const_cast<char *>("characters"));
  raise(&pointer);
  raise(&number);
  raise(static_cast<int (*)(int)>([](int n) { return n; }));
  try {
    throw nullptr;
  } catch (const Base *base) {
    std::printf("nullptr as a pointer: %d\n", base == nullptr);
  }
}
