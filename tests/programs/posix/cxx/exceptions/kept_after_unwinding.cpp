//@ cflags: -std=c++17
//@ opt: O0 O2
//@ args: --check leaks
// A handler uses an object of which it shares the ownership, after its first owner is gone.
#include <cstdio>
#include <memory>
#include <stdexcept>

struct Session {
  int id;
  ~Session() { std::printf("end of session %d\n", id); }
};

static std::shared_ptr<Session> current;
volatile int bad = 1;

static void serve(int id) {
  auto session = std::make_shared<Session>();
  session->id = id;
  current = session;
  if (bad)
    throw std::runtime_error("bad request");
  current = nullptr;
}

int main() {
  try {
    serve(7);
  } catch (const std::runtime_error &error) {
    std::printf("%s in session %d\n", error.what(), current->id);
  }
  current = nullptr;
  std::puts("done");
}
