//@ paths: 1
//@ paths[O0]: 2
// A symbolic length costs what there is to decide, not a comparison for each byte that it may cover (a choice
// at -O0 is a fork, though).
#include <assert.h>
#include <klee/klee.h>
#include <string.h>
#include <strings.h>

#define SIZE 1000000
#define MARK 900000

char a[SIZE + 1], b[SIZE + 1];

int main(void) {
  memset(a, 'a', SIZE);
  memset(b, 'a', SIZE);
  a[MARK] = 'x';
  size_t n = klee_range(0, SIZE + 1, "n");
  assert(memchr(a, 'x', n) == (n > MARK ? a + MARK : 0));
  assert(strnlen(a + MARK, n) == (n < SIZE - MARK ? n : SIZE - MARK));
  assert((memcmp(a, b, n) > 0) == (n > MARK));
  assert((strncmp(a, b, n) == 0) == (n <= MARK));
  assert(strncasecmp(a, a, n) == 0);
  return 0;
}
