/* Hyperbolic functions of the types with a width in their names, which are plain types under other names. */
#include "width.h"

ALL(acosh)
ALL(asinh)
ALL(atanh)
ALL(cosh)
ALL(sinh)
ALL(tanh)
