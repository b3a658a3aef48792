/* Angles of the types with a width in their names, which are plain types under other names. */
#include "width.h"

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
