#include <stdlib.h>

#include "draw.h"

long __everett_computed_random(void);

/* The state moves on in either case: a program may look at it. */
long random(void) {
  long computed = __everett_computed_random();
  int64_t drawn = __everett_draw(RAND_BITS);
  return drawn < 0 ? computed : (long)drawn;
}
