//@ native: no
//@ paths: 5
// A symbolic length of a read from a stream is one path for all values that are enough, however many there are.
#include <assert.h>
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char b[1000] = {0};
  assert(pipe(ends) == 0 && write(ends[1], "abcd", 4) == 4);
  size_t n = (size_t)klee_range(0, 1000, "n");
  ssize_t r = read(ends[0], b, n);
  assert(n >= 4 ? r == 4 : r == (ssize_t)n);
  return 0;
}
