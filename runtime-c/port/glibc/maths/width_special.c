/* Special functions of the types with a width in their names, which are plain types under other names. */
#include "width.h"

long double lgammal_r(long double, int *);

ALL(erf)
ALL(erfc)
ALL(lgamma)
ALL(tgamma)
float lgammaf32_r(float x, int *sign) { return lgammaf_r(x, sign); }
double lgammaf32x_r(double x, int *sign) { return lgamma_r(x, sign); }
double lgammaf64_r(double x, int *sign) { return lgamma_r(x, sign); }
long double lgammaf64x_r(long double x, int *sign) { return lgammal_r(x, sign); }
float j0f32(float x) { return j0f(x); }
float j1f32(float x) { return j1f(x); }
float y0f32(float x) { return y0f(x); }
float y1f32(float x) { return y1f(x); }
float jnf32(int n, float x) { return jnf(n, x); }
float ynf32(int n, float x) { return ynf(n, x); }
double j0f32x(double x) { return j0(x); }
double j1f32x(double x) { return j1(x); }
double y0f32x(double x) { return y0(x); }
double y1f32x(double x) { return y1(x); }
double jnf32x(int n, double x) { return jn(n, x); }
double ynf32x(int n, double x) { return yn(n, x); }
double j0f64(double x) { return j0(x); }
double j1f64(double x) { return j1(x); }
double y0f64(double x) { return y0(x); }
double y1f64(double x) { return y1(x); }
double jnf64(int n, double x) { return jn(n, x); }
double ynf64(int n, double x) { return yn(n, x); }
