//@ native: yes
// drand48 and its kin give the numbers that the standard fixes; the others repeat for the same seed.
#include "../check.h"

int main(void) {
  srand48(1);
  printf("%.10f ", drand48());
  printf("%ld ", lrand48());
  printf("%ld\n", mrand48());
  unsigned short state[3] = {1, 2, 3};
  printf("%.10f ", erand48(state));
  printf("%ld ", nrand48(state));
  printf("%ld\n", jrand48(state));
  unsigned seed = 5, again = 5;
  IS(rand_r(&seed) == rand_r(&again) && seed == again);
  srand(7);
  int a = rand(), b = rand();
  srand(7);
  IS(rand() == a && rand() == b && a != b && a >= 0 && a <= RAND_MAX);
  srandom(9);
  long x = random(), y = random();
  srandom(9);
  IS(random() == x && random() == y && x != y);
  char space[64];
  char *old = initstate(3, space, sizeof space);
  long z = random();
  setstate(old);
  IS(random() >= 0);
  initstate(3, space, sizeof space);
  IS(random() == z);
  return 0;
}
