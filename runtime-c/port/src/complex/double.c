/* Complex arithmetic of double, which the compiler calls by these names. */
#include <math.h>

#define REAL double
#define F(name) name
#define NAME(name) name##_d
#define MUL __muldc3
#define DIV __divdc3
#include "../complex_ops.h"
