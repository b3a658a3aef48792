/* Functions that are one instruction of the bitcode; musl's bodies in C would take dozens. */
#include <math.h>

#define UNARY(name, instruction)                                    \
  double name(double x) { return __builtin_elementwise_##instruction(x); } \
  float name##f(float x) { return __builtin_elementwise_##instruction(x); }

UNARY(sqrt, sqrt)
UNARY(fabs, abs)
UNARY(floor, floor)
UNARY(ceil, ceil)
UNARY(trunc, trunc)
UNARY(rint, rint)
UNARY(nearbyint, nearbyint)

double copysign(double x, double y) { return __builtin_elementwise_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_elementwise_copysign(x, y); }
double fma(double x, double y, double z) { return __builtin_elementwise_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }
