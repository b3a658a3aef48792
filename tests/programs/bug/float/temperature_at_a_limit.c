// A conversion between units meets a limit at exactly one input.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  short tenths;
  klee_make_symbolic(&tenths, sizeof tenths, "tenths");
  float fahrenheit = tenths / 10.0f * 1.8f + 32;
  if (fahrenheit == 98.6f)
    abort(); // expect: bug abort
  return 0;
}
