//@ native: no
//@ cflags: -msse4.2 -maes
//@ paths: 1
// Symbolic contents stay symbolic in vectors: what an instruction gives is told by the contents, without forks.
#include <immintrin.h>
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[16], out[16];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  __m128i a = _mm_loadu_si128((__m128i *)bytes);
  __m128i reversed = _mm_shuffle_epi8(a, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  _mm_storeu_si128((__m128i *)out, reversed);
  klee_assert((out[3] == bytes[12]) & (out[15] == bytes[0]));
  _mm_storeu_si128((__m128i *)out, _mm_avg_epu8(a, a));
  klee_assert(out[7] == bytes[7]);
  _mm_storeu_si128((__m128i *)out, _mm_packus_epi16(_mm_setzero_si128(), a));
  klee_assert((out[0] == 0) & ((out[8] == bytes[0]) | (bytes[1] != 0)));
  _mm_storeu_si128((__m128i *)out, _mm_sad_epu8(a, a));
  klee_assert(out[0] == 0);
  klee_assert(_mm_crc32_u8(bytes[0], bytes[1]) != _mm_crc32_u8(bytes[0], bytes[1] ^ 1));
  klee_assert(_mm_testz_si128(a, _mm_setzero_si128()));
  return 0;
}
