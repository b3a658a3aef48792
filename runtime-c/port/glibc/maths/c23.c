/* Functions of C23 that glibc has: rounding to even, neighbours, exponents, minima and maxima. */
#include <limits.h>
#include <math.h>
#include <string.h>

#define FAMILY(s, type)                                                                                     \
  type roundeven##s(type x) { return rint##s(x); }                                                          \
  type nextup##s(type x) { return nextafter##s(x, INFINITY); }                                              \
  type nextdown##s(type x) { return nextafter##s(x, -INFINITY); }                                           \
  long llogb##s(type x) {                                                                                   \
    int e = ilogb##s(x);                                                                                    \
    return x == 0 ? LONG_MIN : isinf(x) ? LONG_MAX : isnan(x) ? LONG_MIN : e;                               \
  }                                                                                                         \
  static int below##s(type x, type y) { return x < y || (x == y && signbit(x) && !signbit(y)); }            \
  /* One that is no number makes the result none; or, with _num, leaves the other. */                       \
  type fmaximum##s(type x, type y) { return isunordered(x, y) ? x + y : below##s(x, y) ? y : x; }           \
  type fminimum##s(type x, type y) { return isunordered(x, y) ? x + y : below##s(y, x) ? y : x; }           \
  type fmaximum_num##s(type x, type y) { return isnan(x) ? (isnan(y) ? x + y : y) : isnan(y) ? x : fmaximum##s(x, y); } \
  type fminimum_num##s(type x, type y) { return isnan(x) ? (isnan(y) ? x + y : y) : isnan(y) ? x : fminimum##s(x, y); } \
  type fmaximum_mag##s(type x, type y) {                                                                    \
    type a = fabs##s(x), b = fabs##s(y);                                                                    \
    return a > b ? x : b > a ? y : fmaximum##s(x, y);                                                       \
  }                                                                                                         \
  type fminimum_mag##s(type x, type y) {                                                                    \
    type a = fabs##s(x), b = fabs##s(y);                                                                    \
    return a < b ? x : b < a ? y : fminimum##s(x, y);                                                       \
  }                                                                                                         \
  type fmaximum_mag_num##s(type x, type y) {                                                                \
    type a = fabs##s(x), b = fabs##s(y);                                                                    \
    return a > b ? x : b > a ? y : fmaximum_num##s(x, y);                                                   \
  }                                                                                                         \
  type fminimum_mag_num##s(type x, type y) {                                                                \
    type a = fabs##s(x), b = fabs##s(y);                                                                    \
    return a < b ? x : b < a ? y : fminimum_num##s(x, y);                                                   \
  }                                                                                                         \
  type fmaxmag##s(type x, type y) {                                                                         \
    type a = fabs##s(x), b = fabs##s(y);                                                                    \
    return a > b ? x : b > a ? y : fmax##s(x, y);                                                           \
  }                                                                                                         \
  type fminmag##s(type x, type y) {                                                                         \
    type a = fabs##s(x), b = fabs##s(y);                                                                    \
    return a < b ? x : b < a ? y : fmin##s(x, y);                                                           \
  }                                                                                                         \
  /* Every encoding is its own canonical one. */                                                            \
  int canonicalize##s(type *to, const type *from) {                                                         \
    *to = *from;                                                                                            \
    return 0;                                                                                               \
  }                                                                                                         \
  int __iseqsig##s(type x, type y) { return x == y; }

FAMILY(, double)
FAMILY(f, float)
FAMILY(l, long double)
int __iscanonicall(long double x) { return 1; }
