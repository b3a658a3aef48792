//@ native: yes
//@ cflags: -msse4.2 -maes
// The rounds of AES, with the example of FIPS 197.
#include <immintrin.h>
#include <stdio.h>

volatile unsigned long words[] = {0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x7766554433221100, 0xffeeddccbbaa9988};

static void show(const char *name, __m128i value) {
  printf("%s: %016llx %016llx\n", name, (long long)_mm_extract_epi64(value, 1), (long long)_mm_cvtsi128_si64(value));
}
#define SHOW(expression) show(#expression, expression)

static __m128i expand(__m128i key, __m128i given) {
  given = _mm_shuffle_epi32(given, 0xff);
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
  return _mm_xor_si128(key, given);
}

int main(void) {
  __m128i keys[11], key = _mm_set_epi64x(words[1], words[0]), text = _mm_set_epi64x(words[3], words[2]);
  keys[0] = key;
#define ROUND(i, c) keys[i] = key = expand(key, _mm_aeskeygenassist_si128(key, c))
  ROUND(1, 1);
  ROUND(2, 2);
  ROUND(3, 4);
  ROUND(4, 8);
  ROUND(5, 16);
  ROUND(6, 32);
  ROUND(7, 64);
  ROUND(8, 128);
  ROUND(9, 0x1b);
  ROUND(10, 0x36);
  __m128i state = _mm_xor_si128(text, keys[0]);
  for (int i = 1; i < 10; i++)
    state = _mm_aesenc_si128(state, keys[i]);
  state = _mm_aesenclast_si128(state, keys[10]);
  SHOW(state);
  state = _mm_xor_si128(state, keys[10]);
  for (int i = 9; i > 0; i--)
    state = _mm_aesdec_si128(state, _mm_aesimc_si128(keys[i]));
  state = _mm_aesdeclast_si128(state, keys[0]);
  SHOW(state);
  SHOW(_mm_aesimc_si128(text));
  return 0;
}
