//@ cflags: -std=c++17
//@ opt: O0 O2
// Nobody takes a class that derives from std::exception; the message has its type and what it says.
#include <stdexcept>
#include <string>

namespace config {
struct BadPort : std::runtime_error {
  explicit BadPort(int port) : std::runtime_error("bad port " + std::to_string(port)) {}
};
} // namespace config

volatile int port = 70000;

__attribute__((noinline)) static int checked(int number) {
  if (number > 65535)
    throw config::BadPort(number); // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type config::BadPort: bad port 70000"
  return number;
}

int main() {
  try {
    return checked(port) == 0;
  } catch (const std::logic_error &) {
    return 2;
  }
}
