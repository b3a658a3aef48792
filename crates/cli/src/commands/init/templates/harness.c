/* A harness: a small program that calls a function of yours with symbolic bytes, so that each byte may have
 * any value. Everett follows every path that some value takes, and says which values lead to a bug.
 *
 * parse() stands for a function of yours. It trusts the length that a message says, which is a bug that
 * Everett finds: keep it until you have seen how that looks. Then take parse() out, declare your function
 * instead, and add its source file to build.sh.
 */
#include <assert.h>
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>

enum { MESSAGE_SIZE = 8 };

static int parse(const unsigned char *message, size_t size) {
  char name[4];
  if (size < 2)
    return -1;
  size_t length = message[0]; /* not compared with what there is room for */
  if (length > size - 1)
    return -1;
  memcpy(name, message + 1, length);
  return name[0];
}

int main(void) {
  unsigned char message[MESSAGE_SIZE];
  unsigned size;

  /* Names are shown with findings. */
  klee_make_symbolic(message, sizeof message, "message");
  klee_make_symbolic(&size, sizeof size, "size");
  /* Values that cannot occur are left out. */
  klee_assume(size <= sizeof message);

  int result = parse(message, size);

  /* Memory errors are found by themselves; what else has to hold is asserted. */
  assert(result >= -128 && result <= 127);
  return 0;
}
