#include <stdlib.h>

#include "draw.h"

int __everett_computed_rand(void);

int rand(void) {
  int64_t drawn = __everett_draw(RAND_BITS);
  return drawn < 0 ? __everett_computed_rand() : (int)drawn;
}
