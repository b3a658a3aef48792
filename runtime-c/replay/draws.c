/* Generators of random numbers. Their numbers are in the script where they are symbolic (--sym-rand), as the bits
 * that were drawn; otherwise the C library computes them. */
#include "turn.h"

/* The values of those with 48 bits. */
static double fraction(uint64_t bits) { return (double)bits * 0x1p-48; }
static long natural(uint64_t bits) { return (long)(bits >> 17); }
static long integer(uint64_t bits) { return (int32_t)(bits >> 16); }
static long whole(uint64_t bits) { return (long)bits; }

static uint64_t drawn(const event *e) {
  uint64_t bits = e->aux[0];
  turn_pass(e);
  return bits;
}

/* The C library's own state moves on as well: a program may look at it. */
#define DRAW(type, name, parameters, arguments, value) \
  EXPORT type name parameters {                        \
    const event *e = turn_local(EVERETT_API_##name);   \
    type computed = REAL(name) arguments;              \
    return e ? (type)value(drawn(e)) : computed;       \
  }

DRAW(int, rand, (void), (), whole)
DRAW(int, rand_r, (unsigned *seed), (seed), whole)
DRAW(long, random, (void), (), whole)
DRAW(double, drand48, (void), (), fraction)
DRAW(double, erand48, (unsigned short state[3]), (state), fraction)
DRAW(long, lrand48, (void), (), natural)
DRAW(long, nrand48, (unsigned short state[3]), (state), natural)
DRAW(long, mrand48, (void), (), integer)
DRAW(long, jrand48, (unsigned short state[3]), (state), integer)

/* Those of glibc that write the number where the caller says. */
#define DRAW_TO(type, name, api, parameters, arguments, value) \
  EXPORT int name parameters {                                 \
    const event *e = turn_local(EVERETT_API_##api);            \
    int result = REAL(name) arguments;                         \
    if (e)                                                     \
      *to = (type)value(drawn(e));                             \
    return result;                                             \
  }

DRAW_TO(int32_t, random_r, random_r, (void *data, int32_t *to), (data, to), whole)
DRAW_TO(double, drand48_r, drand48_r, (void *data, double *to), (data, to), fraction)
DRAW_TO(double, erand48_r, drand48_r, (unsigned short *state, void *data, double *to), (state, data, to), fraction)
DRAW_TO(long, lrand48_r, lrand48_r, (void *data, long *to), (data, to), natural)
DRAW_TO(long, nrand48_r, lrand48_r, (unsigned short *state, void *data, long *to), (state, data, to), natural)
DRAW_TO(long, mrand48_r, mrand48_r, (void *data, long *to), (data, to), integer)
DRAW_TO(long, jrand48_r, mrand48_r, (unsigned short *state, void *data, long *to), (state, data, to), integer)
