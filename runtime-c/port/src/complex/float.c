/* Complex arithmetic of float, which the compiler calls by these names. */
#include <math.h>

#define REAL float
#define F(name) name##f
#define NAME(name) name##_s
#define MUL __mulsc3
#define DIV __divsc3
#include "../complex_ops.h"
