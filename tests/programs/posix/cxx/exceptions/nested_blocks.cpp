//@ cflags: -std=c++17
//@ opt: O0 O2
// An exception leaves the blocks whose handlers do not fit, innermost first, within one function.
#include <cstdio>

volatile int which;

static void raise() {
  if (which == 0)
    throw 1;
  if (which == 1)
    throw 'c';
  if (which == 2)
    throw 2.5;
  if (which == 3)
    throw "text";
}

static void blocks() {
  try {
    try {
      try {
        raise();
        std::puts("end of the innermost block");
      } catch (int) {
        std::puts("innermost: int");
      }
      std::puts("end of the middle block");
    } catch (char) {
      std::puts("middle: char");
      try {
        throw 3;
      } catch (int number) {
        std::printf("in the handler: %d\n", number);
      }
    } catch (double) {
      std::puts("middle: double");
    }
    std::puts("end of the outer block");
  } catch (const char *text) {
    std::printf("outer: %s\n", text);
  }
}

int main() {
  for (which = 0; which < 5; which = which + 1)
    blocks();
}
