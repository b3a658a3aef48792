// A jump to a place whose function has returned, on one path.
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf place;

__attribute__((noinline)) static int remember(void) { return setjmp(place); }

int main(void) {
  if (remember() != 0) return 1;
  if (klee_int("x") == 5)
    longjmp(place, 1); // expect: bug invalid-jump
  return 0;
}
