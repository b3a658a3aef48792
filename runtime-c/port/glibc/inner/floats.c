/* Classification of numbers as functions, which <math.h> of glibc has beside the macros of C. */
#include <math.h>

#undef isinf
#undef isnan
#define FAMILY(suffix, type)                                                                    \
  int __isnan##suffix(type x) { return x != x; }                                               \
  int isnan##suffix(type x) { return x != x; }                                                 \
  int __isinf##suffix(type x) { return x == INFINITY ? 1 : x == -INFINITY ? -1 : 0; }          \
  int isinf##suffix(type x) { return x == INFINITY ? 1 : x == -INFINITY ? -1 : 0; }            \
  int __finite##suffix(type x) { return x - x == 0; }

FAMILY(, double)
FAMILY(f, float)
FAMILY(l, long double)
int finitel(long double x) { return x - x == 0; }
