//@ cflags: -std=c++17 -pthread
//@ opt: O0 O2
// Thread-local objects are made when a thread first uses them, and destroyed when it ends, the last first.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

struct Loud {
  std::string name;
  explicit Loud(const char *name) : name(name) { std::printf("+%s ", name); }
  ~Loud() { std::printf("-%s ", name.c_str()); }
};

static thread_local Loud first("first"), second("second");

static Loud &third() {
  static thread_local Loud loud("third");
  return loud;
}

struct Late {
  ~Late() {
    std::printf("late: ");
    third();
  }
};

static Loud global("global");

static void run(const char *name, void (*function)()) {
  std::thread thread([=] {
    std::printf("%s: ", name);
    function();
  });
  thread.join();
  std::puts("joined");
}

int main() {
  std::puts("main");
  run("uses none", [] {});
  run("uses third", [] { third().name += "!"; });
  run("uses all", [] {
    third();
    second.name += "?";
    first.name += "?";
  });
  run("uses a late one", [] {
    static thread_local Late late;
    (void)&late;
    std::printf("end ");
  });
  std::printf("%s", third().name.size() == 5 ? "" : "wrong");
  std::atexit([] { std::puts("at exit"); });
}
