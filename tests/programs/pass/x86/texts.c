//@ native: yes
//@ cflags: -msse4.2
// SSE4.2's comparisons of texts in all of their kinds.
#include <immintrin.h>
#include <stdio.h>

volatile char left[16] = "az09  cab", right[16] = "xcab09-ZZ caba!";

#define KIND(k)                                                                                                    \
  {                                                                                                                \
    int i = _mm_cmpistri(a, b, k), e = _mm_cmpestri(a, 4, b, 13, k);                                               \
    __m128i m = _mm_cmpistrm(a, b, k), n = _mm_cmpestrm(a, -3, b, 20, k);                                          \
    printf("%02x: %d %d %llx%016llx %llx%016llx %d%d%d%d%d %d%d%d%d%d\n", k, i, e,                                 \
           (long long)_mm_extract_epi64(m, 1), (long long)_mm_cvtsi128_si64(m), (long long)_mm_extract_epi64(n, 1), \
           (long long)_mm_cvtsi128_si64(n), _mm_cmpistra(a, b, k), _mm_cmpistrc(a, b, k), _mm_cmpistro(a, b, k),   \
           _mm_cmpistrs(a, b, k), _mm_cmpistrz(a, b, k), _mm_cmpestra(a, 4, b, 16, k), _mm_cmpestrc(a, 4, b, 3, k), \
           _mm_cmpestro(a, 4, b, 3, k), _mm_cmpestrs(a, 4, b, 3, k), _mm_cmpestrz(a, 4, b, 3, k));                 \
  }
#define KINDS(k) KIND(k) KIND(k + 4) KIND(k + 8) KIND(k + 12)

int main(void) {
  char x[16], y[16];
  for (int i = 0; i < 16; i++)
    x[i] = left[i], y[i] = right[i];
  __m128i a = _mm_loadu_si128((__m128i *)x), b = _mm_loadu_si128((__m128i *)y);
  KINDS(0) KINDS(1) KINDS(2) KINDS(3) KINDS(0x10) KINDS(0x30) KINDS(0x40) KINDS(0x41) KINDS(0x70)
  return 0;
}
