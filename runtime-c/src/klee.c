/* The parts of klee/klee.h that are plain C over the engine's primitives. */
#include <klee/klee.h>

int klee_int(const char *name) {
  int x;
  klee_make_symbolic(&x, sizeof x, name);
  return x;
}

int klee_range(int begin, int end, const char *name) {
  if (begin >= end)
    klee_report_error(__FILE__, __LINE__, "klee_range: the interval is empty", "user");
  if (end - 1 == begin)
    return begin;
  int x = klee_int(name);
  klee_assume((begin <= x) & (x < end));
  return x;
}

uintptr_t klee_choose(uintptr_t n) {
  uintptr_t x;
  klee_make_symbolic(&x, sizeof x, "klee_choose");
  klee_assume(x < n);
  return x;
}

unsigned klee_is_replay(void) { return 0; }
