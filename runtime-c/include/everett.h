/* Everett's own additions to klee/klee.h. */
#ifndef EVERETT_H
#define EVERETT_H

#include <stddef.h>

#include "klee/klee.h"

/* Makes a whole variable symbolic under its own name: everett_symbolic(length); */
#define everett_symbolic(lvalue) klee_make_symbolic(&(lvalue), sizeof(lvalue), #lvalue)

#ifdef __cplusplus
extern "C" {
#endif
/* As in netklee.h. */
void klee_invariant_expose_data(int state, const char *key, const void *data, size_t size);
#ifdef __cplusplus
}
#endif

/* Exposes a whole variable to invariants, for a state and a key: everett_expose(1, "decision", decision); */
#define everett_expose(state, key, lvalue) \
  klee_invariant_expose_data((state), (key), &(lvalue), sizeof(lvalue))

#endif
