#include <stdlib.h>

#include "draw.h"

int __everett_computed_rand_r(unsigned *seed);

/* The seed moves on in either case: a program may look at it. */
int rand_r(unsigned *seed) {
  int computed = __everett_computed_rand_r(seed);
  int64_t drawn = __everett_draw(RAND_BITS);
  return drawn < 0 ? computed : (int)drawn;
}
