// Of four allocations one at most fails: none, or one of the four. What realloc cannot move stays. errno tells of it.
//@ args: --max-malloc-fail 1
//@ paths: 5
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
  int failed = 0;
  char *plain = malloc(4);
  failed += !plain;
  char *zeros = calloc(2, 2);
  failed += !zeros;
  char *kept = plain ? plain : zeros;
  kept[0] = 7;
  char *moved = realloc(kept, 64);
  failed += !moved;
  if (moved) assert(moved[0] == 7);
  else assert(kept[0] == 7);
  void *aligned;
  failed += posix_memalign(&aligned, 64, 64) != 0;
  assert(failed <= 1 && errno == (failed ? ENOMEM : 0));
  return 0;
}
