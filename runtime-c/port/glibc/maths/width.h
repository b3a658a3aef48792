/* Functions of the types with a width in their names, which are plain types under other names: each calls the function
 * of the plain type, with one argument or two. */
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
#define TWO(name, width, s, type) \
  type name##width(type x, type y) { return name##s(x, y); }
#define ALL_TWO(name)         \
  TWO(name, f32, f, float)    \
  TWO(name, f32x, , double)   \
  TWO(name, f64, , double)    \
  TWO(name, f64x, l, long double)
