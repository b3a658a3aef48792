//@ cflags: -std=c++17
// An exception is destroyed at the end of the last handler that has it, after local objects of the handler.
#include <cstdio>

struct Loud {
  const char *name;
  explicit Loud(const char *name) : name(name) {}
  Loud(const Loud &) = delete;
  ~Loud() { std::printf("end of the %s\n", name); }
};

static void handle(bool again) {
  try {
    throw Loud("exception");
  } catch (const Loud &loud) {
    Loud local("local object");
    std::printf("handler of the %s\n", loud.name);
    if (again)
      throw;
    std::puts("handled");
  }
  std::puts("behind the handler");
}

volatile bool again = true;

int main() {
  handle(!again);
  try {
    handle(again);
  } catch (Loud &) {
    std::puts("second handler");
  }
  std::puts("behind all handlers");
}
