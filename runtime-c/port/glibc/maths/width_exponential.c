/* Powers and logarithms of the types with a width in their names, which are plain types under other names. */
#include "width.h"

ALL(exp)
ALL(exp2)
ALL(exp10)
ALL(expm1)
ALL(log)
ALL(log10)
ALL(log1p)
ALL(log2)
ALL(logb)
ALL(sqrt)
ALL(cbrt)
ALL_TWO(pow)
ALL_TWO(hypot)
float frexpf32(float x, int *e) { return frexpf(x, e); }
float ldexpf32(float x, int e) { return ldexpf(x, e); }
float scalbnf32(float x, int e) { return scalbnf(x, e); }
float scalblnf32(float x, long e) { return scalblnf(x, e); }
int ilogbf32(float x) { return ilogbf(x); }
double frexpf32x(double x, int *e) { return frexp(x, e); }
double ldexpf32x(double x, int e) { return ldexp(x, e); }
double scalbnf32x(double x, int e) { return scalbn(x, e); }
double scalblnf32x(double x, long e) { return scalbln(x, e); }
int ilogbf32x(double x) { return ilogb(x); }
double frexpf64(double x, int *e) { return frexp(x, e); }
double ldexpf64(double x, int e) { return ldexp(x, e); }
double scalbnf64(double x, int e) { return scalbn(x, e); }
double scalblnf64(double x, long e) { return scalbln(x, e); }
int ilogbf64(double x) { return ilogb(x); }
long double frexpf64x(long double x, int *e) { return frexpl(x, e); }
long double ldexpf64x(long double x, int e) { return ldexpl(x, e); }
long double scalbnf64x(long double x, int e) { return scalbnl(x, e); }
long double scalblnf64x(long double x, long e) { return scalblnl(x, e); }
int ilogbf64x(long double x) { return ilogbl(x); }
