//@ cflags: -std=c++17
//@ opt: O0 O2
// A local static variable whose constructor throws is made again when its function is called again.
#include <cstdio>
#include <stdexcept>
#include <string>

static int attempts;

struct Connection {
  std::string name = "a name that needs memory of its own";
  int attempt;
  Connection() : attempt(++attempts) {
    if (attempt < 3)
      throw std::runtime_error("attempt " + std::to_string(attempt));
  }
  ~Connection() { std::printf("end of the connection of attempt %d\n", attempt); }
};

static Connection &connection() {
  static Connection only;
  return only;
}

int main() {
  for (int i = 0; i < 5; i++) {
    try {
      std::printf("connected by attempt %d\n", connection().attempt);
    } catch (const std::runtime_error &error) {
      std::printf("%s\n", error.what());
    }
  }
}
