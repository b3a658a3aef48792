/* Instructions on vectors of integers: SSE2, SSSE3, SSE4.1. */
#include "vectors.h"

static int clamp(int value, int least, int most) { return value < least ? least : value > most ? most : value; }

V2 X86(sse2_psad_bw)(U16 a, U16 b) {
  V2 sums = {0, 0};
  EACH(i, 16) sums[i / 8] += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
  return sums;
}

#define PACK(name, to, from, n, least, most)                 \
  to X86(name)(from a, from b) {                             \
    to packed;                                               \
    EACH(i, n) packed[i] = clamp(a[i], least, most);         \
    EACH(i, n) packed[n + i] = clamp(b[i], least, most);     \
    return packed;                                           \
  }
PACK(sse2_packsswb_128, V16, V8, 8, -128, 127)
PACK(sse2_packuswb_128, V16, V8, 8, 0, 255)
PACK(sse2_packssdw_128, V8, V4, 4, -32768, 32767)
PACK(sse41_packusdw, V8, V4, 4, 0, 65535)

V4 X86(sse2_pmadd_wd)(V8 a, V8 b) {
  V4 sums;
  EACH(i, 4) sums[i] = (uint32_t)(a[2 * i] * b[2 * i]) + (uint32_t)(a[2 * i + 1] * b[2 * i + 1]);
  return sums;
}
V8 X86(ssse3_pmadd_ub_sw_128)(U16 a, V16 b) {
  V8 sums;
  EACH(i, 8) sums[i] = clamp(a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1], -32768, 32767);
  return sums;
}
V8 X86(sse2_pmulh_w)(V8 a, V8 b) {
  V8 high;
  EACH(i, 8) high[i] = (a[i] * b[i]) >> 16;
  return high;
}
U8 X86(sse2_pmulhu_w)(U8 a, U8 b) {
  U8 high;
  EACH(i, 8) high[i] = ((uint32_t)a[i] * b[i]) >> 16;
  return high;
}
V8 X86(ssse3_pmul_hr_sw_128)(V8 a, V8 b) {
  V8 high;
  EACH(i, 8) high[i] = (((a[i] * b[i]) >> 14) + 1) >> 1;
  return high;
}
U16 X86(sse2_pavg_b)(U16 a, U16 b) {
  U16 means;
  EACH(i, 16) means[i] = (a[i] + b[i] + 1) >> 1;
  return means;
}
U8 X86(sse2_pavg_w)(U8 a, U8 b) {
  U8 means;
  EACH(i, 8) means[i] = (a[i] + b[i] + 1) >> 1;
  return means;
}

/* All lanes by one count, which may be larger than a lane. */
#define SHIFT(name, lanes, type, n, bits, op, beyond)                     \
  static lanes shift_##name(lanes a, uint64_t count) {                    \
    lanes shifted;                                                        \
    int far = count > bits - 1;                                           \
    unsigned by = far ? bits - 1 : count;                                 \
    EACH(i, n) shifted[i] = far ? (type)(beyond) : (type)(a[i] op by);    \
    return shifted;                                                       \
  }
#define SHIFTS(name, immediate, lanes, type, n, bits, op, beyond)                                       \
  SHIFT(name, lanes, type, n, bits, op, beyond)                                                         \
  lanes X86(sse2_##name)(lanes a, lanes count) { return shift_##name(a, ((U2)count)[0]); }               \
  lanes X86(sse2_##immediate)(lanes a, int count) { return shift_##name(a, (uint32_t)count); }
SHIFTS(psll_w, pslli_w, U8, uint16_t, 8, 16, <<, 0)
SHIFTS(psll_d, pslli_d, U4, uint32_t, 4, 32, <<, 0)
SHIFTS(psll_q, pslli_q, U2, uint64_t, 2, 64, <<, 0)
SHIFTS(psrl_w, psrli_w, U8, uint16_t, 8, 16, >>, 0)
SHIFTS(psrl_d, psrli_d, U4, uint32_t, 4, 32, >>, 0)
SHIFTS(psrl_q, psrli_q, U2, uint64_t, 2, 64, >>, 0)
SHIFTS(psra_w, psrai_w, V8, int16_t, 8, 16, >>, a[i] >> 15)
SHIFTS(psra_d, psrai_d, V4, int32_t, 4, 32, >>, a[i] >> 31)

U16 X86(ssse3_pshuf_b_128)(U16 a, U16 order) {
  U16 picked;
  uint8_t bytes[16];
  memcpy(bytes, &a, 16);
  EACH(i, 16) {
    uint8_t byte = bytes[order[i] & 15];
    picked[i] = byte & ~(uint8_t)((int8_t)order[i] >> 7);
  }
  return picked;
}
#define SIGN(name, lanes, n)                                                              \
  lanes X86(name)(lanes a, lanes b) {                                                     \
    lanes given;                                                                          \
    EACH(i, n) given[i] = b[i] < 0 ? 0 - (unsigned)a[i] : b[i] == 0 ? 0 : (unsigned)a[i]; \
    return given;                                                                         \
  }
SIGN(ssse3_psign_b_128, V16, 16)
SIGN(ssse3_psign_w_128, V8, 8)
SIGN(ssse3_psign_d_128, V4, 4)

#define PAIRS(name, lanes, half, expression)          \
  lanes X86(name)(lanes a, lanes b) {                 \
    lanes joined;                                     \
    EACH(i, half) {                                   \
      lanes from = a;                                 \
      joined[i] = expression;                         \
      from = b;                                       \
      joined[half + i] = expression;                  \
    }                                                 \
    return joined;                                    \
  }
PAIRS(ssse3_phadd_w_128, V8, 4, from[2 * i] + from[2 * i + 1])
PAIRS(ssse3_phadd_d_128, V4, 2, (int32_t)((uint32_t)from[2 * i] + (uint32_t)from[2 * i + 1]))
PAIRS(ssse3_phadd_sw_128, V8, 4, clamp(from[2 * i] + from[2 * i + 1], -32768, 32767))
PAIRS(ssse3_phsub_w_128, V8, 4, from[2 * i] - from[2 * i + 1])
PAIRS(ssse3_phsub_d_128, V4, 2, (int32_t)((uint32_t)from[2 * i] - (uint32_t)from[2 * i + 1]))
PAIRS(ssse3_phsub_sw_128, V8, 4, clamp(from[2 * i] - from[2 * i + 1], -32768, 32767))

V16 X86(sse41_pblendvb)(V16 a, V16 b, V16 mask) {
  V16 picked;
  EACH(i, 16) picked[i] = mask[i] < 0 ? b[i] : a[i];
  return picked;
}
U8 X86(sse41_phminposuw)(U8 a) {
  uint16_t least = a[0], place = 0;
  EACH(i, 8) {
    place = a[i] < least ? i : place;
    least = a[i] < least ? a[i] : least;
  }
  return (U8){least, place};
}
U8 X86(sse41_mpsadbw)(U16 a, U16 b, char choice) {
  U8 sums = {0};
  uint8_t left[16], right[16];
  memcpy(left, &a, 16);
  memcpy(right, &b, 16);
  int from = choice & 4, block = (choice & 3) * 4;
  EACH(i, 8) EACH(j, 4) {
    int x = left[from + i + j], y = right[block + j];
    sums[i] += x > y ? x - y : y - x;
  }
  return sums;
}

int X86(sse41_ptestz)(U2 a, U2 b) { return ((a[0] & b[0]) | (a[1] & b[1])) == 0; }
int X86(sse41_ptestc)(U2 a, U2 b) { return ((~a[0] & b[0]) | (~a[1] & b[1])) == 0; }
int X86(sse41_ptestnzc)(U2 a, U2 b) {
  return (((a[0] & b[0]) | (a[1] & b[1])) != 0) & (((~a[0] & b[0]) | (~a[1] & b[1])) != 0);
}

V16 X86(sse3_ldu_dq)(const void *from) {
  V16 loaded;
  memcpy(&loaded, from, 16);
  return loaded;
}
void X86(sse2_maskmov_dqu)(V16 a, V16 mask, char *to) {
  EACH(i, 16) if (mask[i] < 0) to[i] = a[i];
}
void X86(sse2_clflush)(const void *line) {}
