/* Old names of functions on numbers. */
#include <complex.h>
#include <math.h>

double lgamma_r(double, int *);
extern int signgam;
double gamma(double x) { return lgamma(x); }
float gammaf(float x) { return lgammaf(x); }
long double gammal(long double x) { return lgammal(x); }
long double dreml(long double x, long double y) { return remainderl(x, y); }
long double significandl(long double x) { return x == 0 || !isfinite(x) ? x : scalbnl(x, -ilogbl(x)); }
long double scalbl(long double x, long double n) {
  if (isnan(x) || isnan(n))
    return x * n;
  if (!isfinite(n))
    return n > 0 ? x * n : x / -n;
  if (rintl(n) != n)
    return (n - n) / (n - n);
  return scalbnl(x, n > 65000 ? 65000 : n < -65000 ? -65000 : (int)n);
}
double complex clog10(double complex x) { return clog(x) / 2.30258509299404568402; }
float complex clog10f(float complex x) { return clogf(x) / 2.30258509299404568402f; }
long double complex clog10l(long double complex x) { return clogl(x) / 2.302585092994045684017991454684364208L; }
double complex __clog10(double complex x) { return clog10(x); }
float complex __clog10f(float complex x) { return clog10f(x); }
long double complex __clog10l(long double complex x) { return clog10l(x); }
