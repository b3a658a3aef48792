/* The steps of SHA-1 and SHA-256 (FIPS 180-4). The first word of a vector is its lane 3 for SHA-1. */
#include "vectors.h"

static uint32_t left(uint32_t x, int by) { return x << by | x >> (32 - by); }
static uint32_t right(uint32_t x, int by) { return x >> by | x << (32 - by); }

U4 X86(sha256msg1)(U4 a, U4 b) {
  U4 out;
  EACH(i, 4) {
    uint32_t next = i < 3 ? a[(i + 1) % 4] : b[0];
    out[i] = a[i] + (right(next, 7) ^ right(next, 18) ^ next >> 3);
  }
  return out;
}
U4 X86(sha256msg2)(U4 a, U4 b) {
  U4 out;
  EACH(i, 4) {
    uint32_t from = i < 2 ? b[2 + i] : out[i - 2];
    out[i] = a[i] + (right(from, 17) ^ right(from, 19) ^ from >> 10);
  }
  return out;
}
U4 X86(sha256rnds2)(U4 cdgh, U4 abef, U4 words) {
  uint32_t a = abef[3], b = abef[2], c = cdgh[3], d = cdgh[2], e = abef[1], f = abef[0], g = cdgh[1], h = cdgh[0];
  EACH(i, 2) {
    uint32_t first = h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + words[i];
    uint32_t second = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  return (U4){f, e, b, a};
}

U4 X86(sha1msg1)(U4 a, U4 b) { return (U4){b[2] ^ a[0], b[3] ^ a[1], a[0] ^ a[2], a[1] ^ a[3]}; }
U4 X86(sha1msg2)(U4 a, U4 b) {
  uint32_t first = left(a[3] ^ b[2], 1);
  return (U4){left(a[0] ^ first, 1), left(a[1] ^ b[0], 1), left(a[2] ^ b[1], 1), first};
}
U4 X86(sha1nexte)(U4 a, U4 b) { return (U4){b[0], b[1], b[2], b[3] + left(a[3], 30)}; }
U4 X86(sha1rnds4)(U4 state, U4 words, char kind) {
  static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
  uint32_t a = state[3], b = state[2], c = state[1], d = state[0], e = 0;
  EACH(i, 4) {
    uint32_t f = (kind & 3) == 0 ? (b & c) ^ (~b & d) : (kind & 3) == 2 ? (b & c) ^ (b & d) ^ (c & d) : b ^ c ^ d;
    uint32_t next = f + left(a, 5) + words[3 - i] + e + constants[kind & 3];
    e = d, d = c, c = left(b, 30), b = a, a = next;
  }
  return (U4){d, c, b, a};
}
