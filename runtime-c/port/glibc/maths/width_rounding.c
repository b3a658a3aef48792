/* Rounding, neighbours and minima of the types with a width in their names, which are plain types under other names. */
#include "width.h"

double roundeven(double);
float roundevenf(float);
long double roundevenl(long double);
double nextup(double);
float nextupf(float);
long double nextupl(long double);
double nextdown(double);
float nextdownf(float);
long double nextdownl(long double);
double fmaximum(double, double);
float fmaximumf(float, float);
long double fmaximuml(long double, long double);
double fminimum(double, double);
float fminimumf(float, float);
long double fminimuml(long double, long double);
double fmaximum_num(double, double);
float fmaximum_numf(float, float);
long double fmaximum_numl(long double, long double);
double fminimum_num(double, double);
float fminimum_numf(float, float);
long double fminimum_numl(long double, long double);
double fmaximum_mag(double, double);
float fmaximum_magf(float, float);
long double fmaximum_magl(long double, long double);
double fminimum_mag(double, double);
float fminimum_magf(float, float);
long double fminimum_magl(long double, long double);
double fmaximum_mag_num(double, double);
float fmaximum_mag_numf(float, float);
long double fmaximum_mag_numl(long double, long double);
double fminimum_mag_num(double, double);
float fminimum_mag_numf(float, float);
long double fminimum_mag_numl(long double, long double);
double fmaxmag(double, double);
float fmaxmagf(float, float);
long double fmaxmagl(long double, long double);
double fminmag(double, double);
float fminmagf(float, float);
long double fminmagl(long double, long double);

ALL(ceil)
ALL(floor)
ALL(nearbyint)
ALL(rint)
ALL(round)
ALL(trunc)
ALL(roundeven)
ALL(fabs)
ALL(nextup)
ALL(nextdown)
ALL_TWO(copysign)
ALL_TWO(fdim)
ALL_TWO(fmax)
ALL_TWO(fmin)
ALL_TWO(fmod)
ALL_TWO(nextafter)
ALL_TWO(remainder)
ALL_TWO(fmaximum)
ALL_TWO(fminimum)
ALL_TWO(fmaximum_num)
ALL_TWO(fminimum_num)
ALL_TWO(fmaximum_mag)
ALL_TWO(fminimum_mag)
ALL_TWO(fmaximum_mag_num)
ALL_TWO(fminimum_mag_num)
ALL_TWO(fmaxmag)
ALL_TWO(fminmag)
float fmaf32(float x, float y, float z) { return fmaf(x, y, z); }
float modff32(float x, float *whole) { return modff(x, whole); }
float nanf32(const char *tag) { return nanf(tag); }
long lrintf32(float x) { return lrintf(x); }
long long llrintf32(float x) { return llrintf(x); }
long lroundf32(float x) { return lroundf(x); }
long long llroundf32(float x) { return llroundf(x); }
float remquof32(float x, float y, int *bits) { return remquof(x, y, bits); }
double fmaf32x(double x, double y, double z) { return fma(x, y, z); }
double modff32x(double x, double *whole) { return modf(x, whole); }
double nanf32x(const char *tag) { return nan(tag); }
long lrintf32x(double x) { return lrint(x); }
long long llrintf32x(double x) { return llrint(x); }
long lroundf32x(double x) { return lround(x); }
long long llroundf32x(double x) { return llround(x); }
double remquof32x(double x, double y, int *bits) { return remquo(x, y, bits); }
double fmaf64(double x, double y, double z) { return fma(x, y, z); }
double modff64(double x, double *whole) { return modf(x, whole); }
double nanf64(const char *tag) { return nan(tag); }
long lrintf64(double x) { return lrint(x); }
long long llrintf64(double x) { return llrint(x); }
long lroundf64(double x) { return lround(x); }
long long llroundf64(double x) { return llround(x); }
double remquof64(double x, double y, int *bits) { return remquo(x, y, bits); }
long double fmaf64x(long double x, long double y, long double z) { return fmal(x, y, z); }
long double modff64x(long double x, long double *whole) { return modfl(x, whole); }
long double nanf64x(const char *tag) { return nanl(tag); }
long lrintf64x(long double x) { return lrintl(x); }
long long llrintf64x(long double x) { return llrintl(x); }
long lroundf64x(long double x) { return lroundl(x); }
long long llroundf64x(long double x) { return llroundl(x); }
long double remquof64x(long double x, long double y, int *bits) { return remquol(x, y, bits); }
