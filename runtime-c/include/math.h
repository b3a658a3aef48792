/* Functions that are one floating-point instruction of the bitcode. */
#ifndef EVERETT_MATH_H
#define EVERETT_MATH_H

#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

#ifdef __cplusplus
extern "C" {
#endif

double sqrt(double x);
double fabs(double x);
double floor(double x);
double ceil(double x);
double trunc(double x);
double rint(double x);
double round(double x);
double fmin(double x, double y);
double fmax(double x, double y);
double copysign(double magnitude, double sign);

float sqrtf(float x);
float fabsf(float x);
float floorf(float x);
float ceilf(float x);
float truncf(float x);
float rintf(float x);
float roundf(float x);
float fminf(float x, float y);
float fmaxf(float x, float y);
float copysignf(float magnitude, float sign);

#ifdef __cplusplus
}
#endif

#endif
