/* Instructions on vectors of floating-point numbers whose results differ from C's: SSE, SSE2, SSE3, SSE4.1. */
#include "vectors.h"
#include <limits.h>
#include <math.h>

/* The second operand where one is no number, and where both are zero. */
#define LEAST(lanes, type, n, scalar, all)                                    \
  lanes X86(all##_min_##scalar)(lanes a, lanes b) {                           \
    EACH(i, n) a[i] = a[i] < b[i] ? a[i] : b[i];                              \
    return a;                                                                 \
  }                                                                           \
  lanes X86(all##_max_##scalar)(lanes a, lanes b) {                           \
    EACH(i, n) a[i] = a[i] > b[i] ? a[i] : b[i];                              \
    return a;                                                                 \
  }
LEAST(F4, float, 4, ps, sse)
LEAST(F4, float, 1, ss, sse)
LEAST(D2, double, 2, pd, sse2)
LEAST(D2, double, 1, sd, sse2)

/* What does not fit is the least number. */
static int to_int(double x) { return x >= -2147483648.0 && x < 2147483648.0 ? (int)x : INT_MIN; }
static int64_t to_long(double x) { return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN; }
int X86(sse_cvtss2si)(F4 a) { return to_int(rint(a[0])); }
int X86(sse_cvttss2si)(F4 a) { return to_int(trunc(a[0])); }
int64_t X86(sse_cvtss2si64)(F4 a) { return to_long(rint(a[0])); }
int64_t X86(sse_cvttss2si64)(F4 a) { return to_long(trunc(a[0])); }
int X86(sse2_cvtsd2si)(D2 a) { return to_int(rint(a[0])); }
int X86(sse2_cvttsd2si)(D2 a) { return to_int(trunc(a[0])); }
int64_t X86(sse2_cvtsd2si64)(D2 a) { return to_long(rint(a[0])); }
int64_t X86(sse2_cvttsd2si64)(D2 a) { return to_long(trunc(a[0])); }
V4 X86(sse2_cvtps2dq)(F4 a) {
  return (V4){to_int(rint(a[0])), to_int(rint(a[1])), to_int(rint(a[2])), to_int(rint(a[3]))};
}
V4 X86(sse2_cvttps2dq)(F4 a) {
  return (V4){to_int(trunc(a[0])), to_int(trunc(a[1])), to_int(trunc(a[2])), to_int(trunc(a[3]))};
}
V4 X86(sse2_cvtpd2dq)(D2 a) { return (V4){to_int(rint(a[0])), to_int(rint(a[1])), 0, 0}; }
V4 X86(sse2_cvttpd2dq)(D2 a) { return (V4){to_int(trunc(a[0])), to_int(trunc(a[1])), 0, 0}; }

static int holds(double a, double b, int kind) {
  int none = isunordered(a, b);
  switch (kind & 7) {
  case 0:
    return a == b;
  case 1:
    return a < b;
  case 2:
    return a <= b;
  case 3:
    return none;
  case 4:
    return a != b;
  case 5:
    return !(a < b);
  case 6:
    return !(a <= b);
  default:
    return !none;
  }
}
F4 X86(sse_cmp_ss)(F4 a, F4 b, char kind) {
  V4 bits = (V4)a;
  bits[0] = -holds(a[0], b[0], kind);
  return (F4)bits;
}
D2 X86(sse2_cmp_sd)(D2 a, D2 b, char kind) {
  V2 bits = (V2)a;
  bits[0] = -(int64_t)holds(a[0], b[0], kind);
  return (D2)bits;
}
F4 X86(sse_cmp_ps)(F4 a, F4 b, char kind) {
  V4 bits;
  EACH(i, 4) bits[i] = -holds(a[i], b[i], kind);
  return (F4)bits;
}
D2 X86(sse2_cmp_pd)(D2 a, D2 b, char kind) {
  V2 bits;
  EACH(i, 2) bits[i] = -(int64_t)holds(a[i], b[i], kind);
  return (D2)bits;
}
#define COMPARE(name, op)                                                       \
  int X86(sse_comi##name##_ss)(F4 a, F4 b) { return a[0] op b[0]; }             \
  int X86(sse_ucomi##name##_ss)(F4 a, F4 b) { return a[0] op b[0]; }            \
  int X86(sse2_comi##name##_sd)(D2 a, D2 b) { return a[0] op b[0]; }            \
  int X86(sse2_ucomi##name##_sd)(D2 a, D2 b) { return a[0] op b[0]; }
COMPARE(eq, ==)
COMPARE(lt, <)
COMPARE(le, <=)
COMPARE(gt, >)
COMPARE(ge, >=)
COMPARE(neq, !=)

F4 X86(sse3_hadd_ps)(F4 a, F4 b) { return (F4){a[0] + a[1], a[2] + a[3], b[0] + b[1], b[2] + b[3]}; }
F4 X86(sse3_hsub_ps)(F4 a, F4 b) { return (F4){a[0] - a[1], a[2] - a[3], b[0] - b[1], b[2] - b[3]}; }
D2 X86(sse3_hadd_pd)(D2 a, D2 b) { return (D2){a[0] + a[1], b[0] + b[1]}; }
D2 X86(sse3_hsub_pd)(D2 a, D2 b) { return (D2){a[0] - a[1], b[0] - b[1]}; }
F4 X86(sse3_addsub_ps)(F4 a, F4 b) { return (F4){a[0] - b[0], a[1] + b[1], a[2] - b[2], a[3] + b[3]}; }
D2 X86(sse3_addsub_pd)(D2 a, D2 b) { return (D2){a[0] - b[0], a[1] + b[1]}; }

static double rounded(double x, int mode) {
  switch (mode & 7) {
  case 1:
    return floor(x);
  case 2:
    return ceil(x);
  case 3:
    return trunc(x);
  default:
    /* The mode that is set is the one to the nearest, too. */
    return rint(x);
  }
}
F4 X86(sse41_round_ps)(F4 a, int mode) {
  EACH(i, 4) a[i] = rounded(a[i], mode);
  return a;
}
D2 X86(sse41_round_pd)(D2 a, int mode) {
  EACH(i, 2) a[i] = rounded(a[i], mode);
  return a;
}
F4 X86(sse41_round_ss)(F4 a, F4 b, int mode) {
  a[0] = rounded(b[0], mode);
  return a;
}
D2 X86(sse41_round_sd)(D2 a, D2 b, int mode) {
  a[0] = rounded(b[0], mode);
  return a;
}
F4 X86(sse41_dpps)(F4 a, F4 b, char lanes) {
  F4 products, sums;
  EACH(i, 4) products[i] = lanes >> (4 + i) & 1 ? a[i] * b[i] : 0;
  float sum = (products[0] + products[1]) + (products[2] + products[3]);
  EACH(i, 4) sums[i] = lanes >> i & 1 ? sum : 0;
  return sums;
}
D2 X86(sse41_dppd)(D2 a, D2 b, char lanes) {
  double sum = (lanes & 16 ? a[0] * b[0] : 0) + (lanes & 32 ? a[1] * b[1] : 0);
  return (D2){lanes & 1 ? sum : 0, lanes & 2 ? sum : 0};
}
