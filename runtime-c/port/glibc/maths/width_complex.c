/* Complex numbers of the types with a width in their names, which are plain types under other names. */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>

double complex clog10(double complex);
float complex clog10f(float complex);
long double complex clog10l(long double complex);

#define ONE(name, width, s, type) \
  type name##width(type x) { return name##s(x); }
#define ALL(name)                     \
  ONE(name, f32, f, float complex)    \
  ONE(name, f32x, , double complex)   \
  ONE(name, f64, , double complex)    \
  ONE(name, f64x, l, long double complex)

ALL(cacos)
ALL(cacosh)
ALL(casin)
ALL(casinh)
ALL(catan)
ALL(catanh)
ALL(ccos)
ALL(ccosh)
ALL(cexp)
ALL(clog)
ALL(clog10)
ALL(conj)
ALL(cproj)
ALL(csin)
ALL(csinh)
ALL(csqrt)
ALL(ctan)
ALL(ctanh)
float cabsf32(float complex x) { return cabsf(x); }
float cargf32(float complex x) { return cargf(x); }
float cimagf32(float complex x) { return cimagf(x); }
float crealf32(float complex x) { return crealf(x); }
float complex cpowf32(float complex x, float complex y) { return cpowf(x, y); }
double cabsf32x(double complex x) { return cabs(x); }
double cargf32x(double complex x) { return carg(x); }
double cimagf32x(double complex x) { return cimag(x); }
double crealf32x(double complex x) { return creal(x); }
double complex cpowf32x(double complex x, double complex y) { return cpow(x, y); }
double cabsf64(double complex x) { return cabs(x); }
double cargf64(double complex x) { return carg(x); }
double cimagf64(double complex x) { return cimag(x); }
double crealf64(double complex x) { return creal(x); }
double complex cpowf64(double complex x, double complex y) { return cpow(x, y); }
long double cabsf64x(long double complex x) { return cabsl(x); }
long double cargf64x(long double complex x) { return cargl(x); }
long double cimagf64x(long double complex x) { return cimagl(x); }
long double crealf64x(long double complex x) { return creall(x); }
long double complex cpowf64x(long double complex x, long double complex y) { return cpowl(x, y); }
