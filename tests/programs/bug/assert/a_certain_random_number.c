//@ args: --sym-rand
//@ paths: 2
/* With --sym-rand, generators of the C library give any number of their range. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  srand(7);
  int bucket = rand() % 1000;
  assert(bucket != 613); // expect: bug assert
  if (bucket > 613) return 0;
  double chance = drand48();
  assert(chance < 0.999999); // expect: bug assert
  return chance < 0.25;
}
