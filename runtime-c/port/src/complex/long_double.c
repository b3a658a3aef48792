/* Complex arithmetic of long double, which the compiler calls by these names. */
#include <math.h>

#define REAL long double
#define F(name) name##l
#define NAME(name) name##_x
#define MUL __mulxc3
#define DIV __divxc3
#include "../complex_ops.h"
