//@ replay: no
//@ args: --sym-rand
//@ paths[O0]: 5
//@ paths[O2]: 1
/* Numbers of the C library's generators are symbolic, each in the range that the standard gives it; the states that a
 * program hands to them move on as ever. */
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned seed = 5;
  unsigned short state[3] = {1, 2, 3}, before[3] = {1, 2, 3};
  int first = rand(), second = rand(), own = rand_r(&seed);
  assert(klee_is_symbolic(first) && klee_is_symbolic(own));
  assert(first >= 0 && first <= RAND_MAX && second >= 0 && own >= 0 && own <= RAND_MAX);
  assert(seed != 5);
  assert(random() >= 0 && random() <= 0x7fffffff);
  assert(lrand48() >= 0 && lrand48() <= 0x7fffffff);
  assert(nrand48(state) <= 0x7fffffff);
  assert(state[0] != before[0] || state[1] != before[1] || state[2] != before[2]);
  assert(!klee_is_symbolic(state[0]));
  double fraction = drand48();
  assert(fraction >= 0 && fraction < 1);
  long any = mrand48();
  assert(any >= -0x80000000l && any <= 0x7fffffff);
  /* Two numbers of one generator have nothing to do with each other. */
  if (first == 17 && second != 17)
    return 0;
  return any < 0 && fraction > 0.5 ? 0 : 0;
}
