//@ native: yes
// Functions of the mathematical library where they are exact, and their special values.
#include "../check.h"
#include <math.h>

volatile double zero = 0, one = 1, minus = -1, huge = 1e300, two = 2;

static void show(const char *name, double v) { printf("%s = %a\n", name, v); }
#define M(e) show(#e, e)

static void special(const char *name, double v) {
  printf("%s: %s\n", name, isnan(v) ? "nan" : isinf(v) ? (v > 0 ? "inf" : "-inf") : "finite");
}
#define E(e) special(#e, e)

int main(void) {
  M(sqrt(two)), M(floor(-1.5)), M(ceil(-1.5)), M(trunc(-1.5)), M(round(2.5)), M(round(-0.5)), M(rint(2.5)),
      M(nearbyint(3.5));
  M(fmod(7.5, two)), M(fmod(-7.5, two)), M(remainder(7.0, 4.0)), M(fabs(minus)), M(copysign(3.0, minus)),
      M(hypot(3.0, 4.0));
  M(pow(two, 10)), M(pow(two, -1)), M(pow(zero, zero)), M(exp2(10.0)), M(log2(8.0)),
      M(log10(1000.0));
  M(ldexp(one, 20)), M(scalbn(one, -1000)), M(nextafter(one, two)), M(fma(two, two, one)),
      M(fmax(one, (double)NAN)), M(fmin(one, two));
  M(fdim(5.0, 3.0)), M(logb(1024.0)), M(exp(zero)), M(log(one)), M(sin(zero)), M(cos(zero)), M(tan(zero)),
      M(atan2(zero, one));
  M(tgamma(5.0)), M(expm1(zero)), M(log1p(zero)), M(sinh(zero)), M(cosh(zero)), M(tanh(zero)), M(asin(zero)),
      M(acos(one));
  int e, q;
  double whole, part = modf(-3.25, &whole), f = frexp(48.0, &e);
  printf("%a %a %a %d\n", part, whole, f, e);
  M(remquo(29.0, 3.0, &q));
  NUM(lround(2.5));
  NUM(lrint(2.5));
  NUM(llround(-2.5));
  NUM(ilogb(8.0));
  E(sqrt(minus)), E(log(zero)), E(log(minus)), E(pow(zero, minus)), E(pow(minus, 0.5)), E(exp(huge)),
      E(fmod(one, zero));
  E(acos(two)), E(hypot(huge, huge) / huge), E(pow(huge, two)), E(atanh(one)), E(lgamma(zero)), E(sqrt(huge));
  printf("%d%d%d%d%d\n", isnan(zero / zero) != 0, isinf(one / zero) != 0, isfinite(huge) != 0,
         signbit(-zero) != 0, isnormal(zero) != 0);
  printf("%d %d\n", fpclassify(zero) == FP_ZERO, fpclassify(5e-324) == FP_SUBNORMAL);
  printf("%.6f %.6f %.6f %.6f\n", sin(one), cos(one), exp(one), log(two));
  printf("%.6f %.6f %.6f %.6f\n", tan(one), atan(one), sinh(one), erf(one));
  printf("%.4f %.4f %.4f\n", (double)sinf(1), (double)powf(2, 0.5f), (double)sqrtf(3));
  return 0;
}
