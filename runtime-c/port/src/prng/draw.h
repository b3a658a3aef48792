/* Generators that give any number where the run wants symbolic ones (--sym-rand), and compute it otherwise. */
#include <stdint.h>

/* A number below 2 to the power of bits, or -1 if it is to be computed. */
extern int64_t __everett_draw(int64_t bits);

enum { RAND_BITS = 31, RAND48_BITS = 48 };
