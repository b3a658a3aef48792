// Only the paths that leave the object go past the bug; the others read what is there.
//@ opt: O0
//@ args: --ignore symbolic_read_is_anything.c:19
//@ paths: 2
//@ ignored: 1 0
#include <assert.h>
#include <klee/klee.h>

int table[4] = {1, 2, 3, 4};

int main(void) {
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  int inside = at < 4;
  if (inside)
    klee_assume(at == 2);
  else
    klee_assume(at == 9);
  int value = table[at];
  assert(!inside || value == 3);
  if (!inside) assert(value != 5); // expect: bug assert
  return 0;
}
