//@ paths: 1
// klee_get_errno is what the library last set.
#include <assert.h>
#include <errno.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  errno = 0;
  assert(klee_get_errno() == 0);
  long v = strtol("99999999999999999999", 0, 10);
  assert(v == 0x7fffffffffffffffL);
  assert(errno == ERANGE && klee_get_errno() == ERANGE);
  return 0;
}
