/* Everett's own additions to klee/klee.h. */
#ifndef EVERETT_H
#define EVERETT_H

#include "klee/klee.h"

/* Makes a whole variable symbolic under its own name: everett_symbolic(length); */
#define everett_symbolic(lvalue) klee_make_symbolic(&(lvalue), sizeof(lvalue), #lvalue)

#endif
