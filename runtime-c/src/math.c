/* Each function is the matching instruction; nothing here computes. */
#include <math.h>

#define UNARY(name, operation)                                                                   \
  double name(double x) { return operation(x); }                                                 \
  float name##f(float x) { return operation(x); }

UNARY(sqrt, __builtin_elementwise_sqrt)
UNARY(fabs, __builtin_elementwise_abs)
UNARY(floor, __builtin_elementwise_floor)
UNARY(ceil, __builtin_elementwise_ceil)
UNARY(trunc, __builtin_elementwise_trunc)
UNARY(rint, __builtin_elementwise_rint)
UNARY(round, __builtin_elementwise_round)

#define BINARY(name, operation)                                                                  \
  double name(double x, double y) { return operation(x, y); }                                    \
  float name##f(float x, float y) { return operation(x, y); }

BINARY(fmin, __builtin_elementwise_min)
BINARY(fmax, __builtin_elementwise_max)
BINARY(copysign, __builtin_elementwise_copysign)
