//@ native: no
//@ cflags: -msse4.2 -msha
// SHA-1 and SHA-256 of "abc" by the instructions for them give the digests of FIPS 180-4.
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void sha256(const uint32_t block[16], uint32_t digest[8]) {
  __m128i m[16], abef = _mm_set_epi32(0x6a09e667, 0xbb67ae85, 0x510e527f, 0x9b05688c),
                 cdgh = _mm_set_epi32(0x3c6ef372, 0xa54ff53a, 0x1f83d9ab, 0x5be0cd19);
  __m128i first = abef, second = cdgh;
  for (int i = 0; i < 16; i++) {
    if (i < 4)
      m[i] = _mm_loadu_si128((const __m128i *)block + i);
    else {
      __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(m[i - 4], m[i - 3]), _mm_alignr_epi8(m[i - 1], m[i - 2], 4));
      m[i] = _mm_sha256msg2_epu32(sum, m[i - 1]);
    }
    __m128i words = _mm_add_epi32(m[i], _mm_loadu_si128((const __m128i *)rounds + i));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(words, 0x0e));
  }
  _mm_storeu_si128((__m128i *)digest, _mm_add_epi32(abef, first));
  _mm_storeu_si128((__m128i *)digest + 1, _mm_add_epi32(cdgh, second));
}

static void sha1(const uint32_t block[16], uint32_t digest[5]) {
  __m128i m[20], abcd = _mm_set_epi32(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476), start = abcd;
  __m128i e = _mm_set_epi32(0xc3d2e1f0, 0, 0, 0), before = abcd;
  for (int i = 0; i < 20; i++) {
    if (i < 4)
      m[i] = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)block + i), 0x1b);
    else
      m[i] = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(m[i - 4], m[i - 3]), m[i - 2]), m[i - 1]);
    __m128i words = i ? _mm_sha1nexte_epu32(before, m[i]) : _mm_add_epi32(e, m[0]);
    before = abcd;
    switch (i / 5) {
    case 0:
      abcd = _mm_sha1rnds4_epu32(abcd, words, 0);
      break;
    case 1:
      abcd = _mm_sha1rnds4_epu32(abcd, words, 1);
      break;
    case 2:
      abcd = _mm_sha1rnds4_epu32(abcd, words, 2);
      break;
    default:
      abcd = _mm_sha1rnds4_epu32(abcd, words, 3);
    }
  }
  __m128i last = _mm_sha1nexte_epu32(before, e);
  digest[4] = (uint32_t)_mm_extract_epi32(last, 3);
  _mm_storeu_si128((__m128i *)digest, _mm_shuffle_epi32(_mm_add_epi32(abcd, start), 0x1b));
}

int main(void) {
  uint32_t block[16] = {0x61626380, [15] = 24}, digest[8];
  sha256(block, digest);
  if (digest[3] != 0xba7816bf || digest[2] != 0x8f01cfea || digest[7] != 0x414140de || digest[4] != 0xf20015ad)
    abort();
  sha1(block, digest);
  if (digest[0] != 0xa9993e36 || digest[1] != 0x4706816a || digest[2] != 0xba3e2571 || digest[3] != 0x7850c26c ||
      digest[4] != 0x9cd0d89d)
    abort();
  return 0;
}
