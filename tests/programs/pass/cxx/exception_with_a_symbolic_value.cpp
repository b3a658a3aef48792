//@ native: yes
//@ cflags: -std=c++17
//@ opt: O0 O2
//@ paths: 2
// A value stays unknown while an exception carries it through copies, pointers and a rethrow.
#include <exception>
#include <klee/klee.h>
#include <stdio.h>

struct Error {
  int code;
  virtual ~Error() {}
};

struct Detailed : Error {
  int detail;
  Detailed(int code, int detail) : detail(detail) { this->code = code; }
};

static volatile int seen;

static std::exception_ptr kept(int code) {
  try {
    throw Detailed(code, code ^ 21);
  } catch (Error &error) {
    error.code += 2;
    return std::current_exception();
  }
}

int main() {
  int code = klee_range(-100, 100, "code");
  try {
    try {
      std::rethrow_exception(kept(code));
    } catch (Detailed copy) {
      copy.code = 0;
      throw;
    }
  } catch (const Error &error) {
    klee_assert(error.code == code + 2);
    klee_assert((static_cast<const Detailed &>(error).detail ^ 21) == code);
    if (error.code < 0) {
      seen = -1;
      puts("negative");
    } else {
      puts("not negative");
    }
  }
  return seen > 0;
}
