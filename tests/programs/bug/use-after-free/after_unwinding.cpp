//@ cflags: -std=c++17
//@ opt: O0 O2
// A handler uses an object whose owner was destroyed when the exception passed it.
#include <memory>
#include <stdexcept>

struct Session {
  int id;
};

Session *volatile current;
volatile int sink, bad = 1;

__attribute__((noinline)) static void serve(int id) {
  auto session = std::make_unique<Session>(Session{id});
  current = session.get();
  if (bad)
    throw std::runtime_error("bad request");
  current = nullptr;
}

int main() {
  try {
    serve(7);
  } catch (const std::runtime_error &) {
    sink = current->id; // expect: bug use-after-free
  }
  return 0;
}
