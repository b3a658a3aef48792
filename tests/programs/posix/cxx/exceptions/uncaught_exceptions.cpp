//@ cflags: -std=c++17
// uncaught_exceptions counts the exceptions that are on their way, in destructors and their own blocks.
#include <cstdio>
#include <exception>

struct Scope {
  const char *name;
  int before = std::uncaught_exceptions();
  explicit Scope(const char *name) : name(name) {}
  ~Scope() {
    int now = std::uncaught_exceptions();
    std::printf("%s: %d before, %d now\n", name, before, now);
  }
};

struct Cleaner {
  ~Cleaner() {
    Scope plain("in a destructor");
    try {
      Scope inner("in its block");
      throw 2;
    } catch (int) {
      std::printf("in its handler: %d\n", std::uncaught_exceptions());
    }
  }
};

int main() {
  {
    Scope usual("without an exception");
  }
  try {
    Scope around("around");
    Cleaner cleaner;
    throw 1;
  } catch (int) {
    std::printf("in the handler: %d\n", std::uncaught_exceptions());
    Scope handler("of the handler");
  }
  try {
    try {
      throw 1;
    } catch (int) {
      Scope again("rethrown");
      throw;
    }
  } catch (int) {
    std::printf("at the end: %d\n", std::uncaught_exceptions());
  }
}
