/* A harness: calls @NAME@(), which is in @FILE@, with symbolic bytes, so that each byte may have any value.
 * Everett follows every path that some value takes, and says which values lead to a bug.
 */
#include <klee/klee.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Or include the header that declares it. */
@DECLARATION@;

/* More bytes reach more code, and take longer. */
enum { SIZE = 8 };

int main(void) {
  unsigned char data[SIZE + 1];
  unsigned size;

  /* Names are shown with findings. */
  klee_make_symbolic(data, SIZE, "data");
  klee_make_symbolic(&size, sizeof size, "size");
  /* Values that cannot occur are left out. */
  klee_assume(size <= SIZE);
  /* The end of a string, for functions that look for one. */
  data[SIZE] = 0;

  @NAME@((void *)data, size);

  /* Memory errors are found by themselves; what else has to hold is asserted: assert(...). */
  return 0;
}
