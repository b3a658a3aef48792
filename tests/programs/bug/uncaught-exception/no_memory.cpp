//@ cflags: -std=c++17
//@ opt: O0 O2
// A size that comes from an unsigned underflow is more than there is, and nobody takes bad_alloc.
#include <cstddef>

volatile std::size_t header = 16, received = 12;
char *volatile payload;

int main() {
  std::size_t rest = received - header;
  payload = new char[rest]; // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type std::bad_alloc: std::bad_alloc"
  delete[] payload;
  return 0;
}
