//@ native: yes
// Functions on numbers that C23 has added, and the names of types with a width.
#include "../check.h"
#include <fenv.h>
#include <math.h>
#ifndef __GLIBC__
double roundeven(double);
float roundevenf(float);
double nextup(double), nextdown(double);
long llogb(double);
double fmaximum(double, double), fminimum(double, double), fmaximum_num(double, double), fminimum_num(double, double);
double fmaximum_mag(double, double), fminimum_mag(double, double);
double fmaxmag(double, double), fminmag(double, double);
int totalorder(const double *, const double *), totalordermag(const double *, const double *);
int canonicalize(double *, const double *);
float cosf32(float);
double cosf64(double);
double powf32x(double, double);
long double sqrtf64x(long double);
#else
double fmaximum(double, double), fminimum(double, double), fmaximum_num(double, double), fminimum_num(double, double);
double fmaximum_mag(double, double), fminimum_mag(double, double);
double roundeven(double);
float roundevenf(float);
double nextup(double), nextdown(double);
double fmaxmag(double, double), fminmag(double, double);
int totalorder(const double *, const double *), totalordermag(const double *, const double *);
int canonicalize(double *, const double *);
#endif

volatile double some[] = {-0.0, 0.0, 0.5, 1.5, 2.5, -2.5, 1e300, -3};

int main(void) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      double a = some[i], b = some[j];
      printf("%g %g: %g %g %g %g %g %g %d %d\n", a, b, fmaximum(a, b), fminimum(a, b), fmaximum_mag(a, b),
             fminimum_mag(a, b), fmaxmag(a, b) + 0.0, fminmag(a, b) + 0.0, totalorder(&a, &b), totalordermag(&a, &b));
    }
  double none = some[1] / some[1] * 0 + NAN, to;
  IS(isnan(fmaximum(none, 1)) && fmaximum_num(none, 1) == 1 && fminimum_num(1, none) == 1);
  for (int i = 0; i < 8; i++)
    printf("%g %g %d\n", roundeven(some[i]), roundevenf(some[i]), nextup(some[i]) > some[i]);
  printf("%g %a\n", nextup(some[1]), nextdown(some[3]));
  NUM(canonicalize(&to, (double *)&some[3]));
  printf("%g %g %g %Lg\n", (double)cosf32(1), (double)cosf64(1), (double)powf32x(2, 0.5),
         (long double)sqrtf64x(2));
  return 0;
}
