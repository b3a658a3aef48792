//@ paths: 1
// SEND + MORE = MONEY with distinct digits has one solution, which the solver pins down.
#include <assert.h>
#include <klee/klee.h>

enum { S, E, N, D, M, O, R, Y };

int main(void) {
  unsigned char d[8];
  klee_make_symbolic(d, sizeof d, "digits");
  unsigned used = 0, distinct = 1;
  for (int i = 0; i < 8; i++) {
    klee_assume(d[i] <= 9);
    distinct &= (used >> d[i] & 1) ^ 1;
    used |= 1u << d[i];
  }
  klee_assume(distinct);
  klee_assume((d[S] != 0) & (d[M] != 0));
  unsigned send = d[S] * 1000u + d[E] * 100u + d[N] * 10u + d[D];
  unsigned more = d[M] * 1000u + d[O] * 100u + d[R] * 10u + d[E];
  unsigned money = d[M] * 10000u + d[O] * 1000u + d[N] * 100u + d[E] * 10u + d[Y];
  klee_assume(send + more == money);
  volatile unsigned answer = money;
  assert(answer == 10652);
  return 0;
}
