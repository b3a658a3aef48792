/* Hyperbolic functions of the types with a width in their names, which are plain types under other names. */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>

#define ONE(name, width, s, type) \
  type name##width(type x) { return name##s(x); }
#define ALL(name)             \
  ONE(name, f32, f, float)    \
  ONE(name, f32x, , double)   \
  ONE(name, f64, , double)    \
  ONE(name, f64x, l, long double)

ALL(acosh)
ALL(asinh)
ALL(atanh)
ALL(cosh)
ALL(sinh)
ALL(tanh)
