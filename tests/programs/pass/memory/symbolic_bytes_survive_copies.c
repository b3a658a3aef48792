//@ paths: 1
// Symbolic bytes keep their identity through memcpy, memmove, struct copies and unaligned views.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

struct pair { int a; int b; };

int main(void) {
  struct pair p, q;
  unsigned char bytes[16] = {0};
  klee_make_symbolic(&p, sizeof p, "p");
  memcpy(bytes + 3, &p, sizeof p);
  memmove(bytes + 1, bytes + 3, sizeof p);
  memcpy(&q, bytes + 1, sizeof q);
  struct pair r = q;
  volatile int da = r.a - p.a, db = r.b ^ p.b;
  assert(da == 0 && db == 0);
  return 0;
}
