/* Angles of the types with a width in their names, which are plain types under other names. */
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

ALL(acos)
ALL(asin)
ALL(atan)
ALL(cos)
ALL(sin)
ALL(tan)
ALL_TWO(atan2)
void sincosf32(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
void sincosf32x(double x, double *sine, double *cosine) { sincos(x, sine, cosine); }
void sincosf64(double x, double *sine, double *cosine) { sincos(x, sine, cosine); }
void sincosf64x(long double x, long double *sine, long double *cosine) { sincosl(x, sine, cosine); }
