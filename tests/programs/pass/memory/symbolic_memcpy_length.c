// memcpy of a symbolic length copies exactly that many bytes.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

char from[4] = "abc", to[4];

int main(void) {
  size_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 4);
  memcpy(to, from, n);
  volatile char first = to[0], third = to[2];
  assert((first == 'a') == (n >= 1));
  assert((third == 'c') == (n >= 3));
  return 0;
}
