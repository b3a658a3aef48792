//@ native: yes
//@ cflags: -msse4.2
// Instructions of SSE2, SSSE3 and SSE4.1 on vectors of integers.
#include <immintrin.h>
#include <stdio.h>

volatile unsigned char left[16] = {0, 1, 127, 128, 129, 200, 255, 254, 3, 90, 91, 17, 64, 0, 33, 250};
volatile unsigned char right[16] = {255, 3, 128, 127, 0, 128, 2, 9, 255, 91, 14, 130, 64, 15, 34, 251};
volatile int count = 5, far = 77;

static void show(const char *name, __m128i value) {
  unsigned char bytes[16];
  _mm_storeu_si128((__m128i *)bytes, value);
  printf("%s:", name);
  for (int i = 0; i < 16; i++)
    printf(" %02x", bytes[i]);
  puts("");
}
#define SHOW(expression) show(#expression, expression)

int main(void) {
  unsigned char x[16], y[16];
  for (int i = 0; i < 16; i++)
    x[i] = left[i], y[i] = right[i];
  __m128i a = _mm_loadu_si128((__m128i *)x), b = _mm_loadu_si128((__m128i *)y);
  SHOW(_mm_sad_epu8(a, b));
  SHOW(_mm_packs_epi16(a, b));
  SHOW(_mm_packus_epi16(a, b));
  SHOW(_mm_packs_epi32(a, b));
  SHOW(_mm_packus_epi32(a, b));
  SHOW(_mm_madd_epi16(a, b));
  SHOW(_mm_maddubs_epi16(a, b));
  SHOW(_mm_mulhi_epi16(a, b));
  SHOW(_mm_mulhi_epu16(a, b));
  SHOW(_mm_mulhrs_epi16(a, b));
  SHOW(_mm_avg_epu8(a, b));
  SHOW(_mm_avg_epu16(a, b));
  SHOW(_mm_shuffle_epi8(a, b));
  SHOW(_mm_sign_epi8(a, b));
  SHOW(_mm_sign_epi16(a, b));
  SHOW(_mm_sign_epi32(a, b));
  SHOW(_mm_hadd_epi16(a, b));
  SHOW(_mm_hadd_epi32(a, b));
  SHOW(_mm_hadds_epi16(a, b));
  SHOW(_mm_hsub_epi16(a, b));
  SHOW(_mm_hsub_epi32(a, b));
  SHOW(_mm_hsubs_epi16(a, b));
  SHOW(_mm_blendv_epi8(a, b, _mm_avg_epu8(a, b)));
  SHOW(_mm_minpos_epu16(a));
  SHOW(_mm_mpsadbw_epu8(a, b, 6));
  SHOW(_mm_lddqu_si128((__m128i *)x));
  for (int turn = 0; turn < 2; turn++) {
    int by = turn ? far : count;
    __m128i n = _mm_cvtsi32_si128(by);
    SHOW(_mm_slli_epi16(a, by));
    SHOW(_mm_slli_epi32(a, by));
    SHOW(_mm_slli_epi64(a, by));
    SHOW(_mm_srli_epi16(a, by));
    SHOW(_mm_srli_epi32(a, by));
    SHOW(_mm_srli_epi64(a, by));
    SHOW(_mm_srai_epi16(a, by));
    SHOW(_mm_srai_epi32(a, by));
    SHOW(_mm_sll_epi32(b, n));
    SHOW(_mm_srl_epi16(b, n));
    SHOW(_mm_sra_epi32(b, n));
  }
  printf("%d %d %d %d\n", _mm_testz_si128(a, b), _mm_testc_si128(a, a), _mm_testnzc_si128(a, b), _mm_movemask_epi8(a));
  _mm_maskmoveu_si128(a, b, (char *)y);
  SHOW(_mm_loadu_si128((__m128i *)y));
  return 0;
}
