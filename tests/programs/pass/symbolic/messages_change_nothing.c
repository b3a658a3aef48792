//@ paths: 1
// Warnings, traces and printed expressions have no effect on the path.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(5, 15, "x");
  klee_warning("a warning");
  for (int i = 0; i < 3; i++)
    klee_warning_once("a warning given once");
  klee_print_expr("x plus one", x + 1);
  klee_print_range("x", x);
  klee_stack_trace();
  assert(x >= 5 && x < 15);
  return 0;
}
