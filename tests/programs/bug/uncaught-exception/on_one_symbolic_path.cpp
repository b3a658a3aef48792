//@ cflags: -std=c++17
//@ opt: O0 O2
//@ findings: 1
//@ paths: 2
// A parser knows what to do with two of its errors, and forgets the third.
#include <klee/klee.h>

struct TooShort {};
struct BadKind {
  int kind;
};
struct BadLength {
  int length;
};

volatile int sink;

__attribute__((noinline)) static void parse(const unsigned char *message) {
  if (message[0] != 1)
    throw BadKind{message[0]};
  if (message[1] > 4)
    throw BadLength{message[1]}; // expect: bug uncaught-exception
  // expect: message contains "uncaught exception of type BadLength"
  sink = message[1];
}

int main() {
  unsigned char message[2];
  klee_make_symbolic(message, sizeof message, "message");
  try {
    parse(message);
  } catch (const TooShort &) {
    return 1;
  } catch (const BadKind &) {
    sink = -1;
  }
  return 0;
}
