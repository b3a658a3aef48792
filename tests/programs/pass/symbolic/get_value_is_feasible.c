//@ paths: 1
//@ exit: 3
// klee_get_value returns a value of the path, of whatever type.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_range(100, 200, "x");
  int32_t a = klee_get_value_i32(x);
  int64_t b = klee_get_value_i64((int64_t)x * 2);
  long c = klee_get_valuel(x);
  long long d = klee_get_valuell(x);
  assert(a >= 100 && a < 200 && b >= 200 && b < 400 && b % 2 == 0);
  assert(c >= 100 && c < 200 && d >= 100 && d < 200);
  assert(!klee_is_symbolic((uintptr_t)a));
  assert(klee_get_valuef(1.5f) == 1.5f && klee_get_valued(-2.5) == -2.5);
  return 0;
}
