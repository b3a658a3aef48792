//@ paths: 1
// Fields of an element at a symbolic index: the first access reaches fewer bytes of the table than later ones.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

struct lock {
  int kind, held, waiting, unused[7];
};

enum { LOCKS = 4096 };

int main(void) {
  unsigned short key;
  klee_make_symbolic(&key, sizeof key, "key");
  struct lock *locks = calloc(LOCKS, sizeof *locks);
  locks[7].kind = 3;
  locks[LOCKS - 1].unused[6] = 4;
  unsigned hash = key * 0xcc9e2d51u;
  struct lock *lock = &locks[(hash ^ hash >> 13) % (LOCKS - 8) + 8];
  lock->held = 16;
  assert(lock->kind == 0);
  assert(lock->held == 16 && lock->waiting == 0);
  lock->waiting = 1;
  lock->held = 0;
  assert(lock->kind == 0 && lock->held == 0 && lock->waiting == 1);
  assert(locks[7].kind == 3 && locks[7].held == 0);
  assert(locks[LOCKS - 1].unused[6] == 4);
  return 0;
}
