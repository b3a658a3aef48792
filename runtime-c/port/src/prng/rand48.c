/* The step that drand48, lrand48, mrand48 and those with a state of the caller's all take. */
#include "draw.h"

uint64_t __everett_computed_rand48_step(unsigned short *state, unsigned short *parameters);

/* The state moves on in either case: a program may look at it. */
uint64_t __rand48_step(unsigned short *state, unsigned short *parameters) {
  uint64_t computed = __everett_computed_rand48_step(state, parameters);
  int64_t drawn = __everett_draw(RAND48_BITS);
  return drawn < 0 ? computed : (uint64_t)drawn;
}
