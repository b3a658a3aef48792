/* The order of all numbers by their bits, and the kind of those that are none. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define BITS(s, type, word, top, quiet)                                                            \
  static word bits##s(type x) {                                                                    \
    word value;                                                                                    \
    memcpy(&value, &x, sizeof value);                                                              \
    return value;                                                                                  \
  }                                                                                                \
  int totalorder##s(const type *a, const type *b) {                                                \
    word x = bits##s(*a), y = bits##s(*b);                                                         \
    int below_x = x >> (top), below_y = y >> (top);                                                \
    return below_x != below_y ? below_x : below_x ? y <= x : x <= y;                               \
  }                                                                                                \
  int totalordermag##s(const type *a, const type *b) {                                             \
    word sign = (word)1 << (top);                                                                  \
    return (bits##s(*a) & ~sign) <= (bits##s(*b) & ~sign);                                         \
  }                                                                                                \
  int __issignaling##s(type x) { return x != x && !(bits##s(x) >> (quiet) & 1); }

BITS(, double, uint64_t, 63, 51)
BITS(f, float, uint32_t, 31, 22)
int __issignalingl(long double x) {
  uint64_t fraction;
  memcpy(&fraction, &x, sizeof fraction);
  return x != x && !(fraction >> 62 & 1);
}
