//@ native: yes
//@ cflags: -msse4.2
// Instructions on vectors of floating-point numbers: minima, comparisons, conversions, rounding.
#include <immintrin.h>
#include <stdio.h>

volatile float some[8] = {1.5f, -2.5f, 3e9f, -0.0f, 2.5f, -2.5f, 1e20f, 0.0f};
volatile double more[4] = {2.5, -1e10, -3.5, 7.25};

static void floats(const char *name, __m128 value) {
  float x[4];
  _mm_storeu_ps(x, value);
  printf("%s: %g %g %g %g\n", name, x[0], x[1], x[2], x[3]);
}
static void doubles(const char *name, __m128d value) {
  double x[2];
  _mm_storeu_pd(x, value);
  printf("%s: %g %g\n", name, x[0], x[1]);
}
static void ints(const char *name, __m128i value) {
  int x[4];
  _mm_storeu_si128((__m128i *)x, value);
  printf("%s: %d %d %d %d\n", name, x[0], x[1], x[2], x[3]);
}
#define FLOATS(expression) floats(#expression, expression)
#define DOUBLES(expression) doubles(#expression, expression)
#define INTS(expression) ints(#expression, expression)
#define BITS(expression) ints(#expression, _mm_castps_si128(expression))

int main(void) {
  __m128 a = _mm_set_ps(some[3], some[2], some[1], some[0]), b = _mm_set_ps(some[7], some[6], some[5], some[4]);
  __m128d p = _mm_set_pd(more[1], more[0]), q = _mm_set_pd(more[3], more[2]);
  FLOATS(_mm_min_ps(a, b));
  FLOATS(_mm_max_ps(a, b));
  FLOATS(_mm_min_ss(a, b));
  FLOATS(_mm_max_ss(b, a));
  DOUBLES(_mm_min_pd(p, q));
  DOUBLES(_mm_max_pd(p, q));
  DOUBLES(_mm_max_sd(q, p));
  BITS(_mm_cmplt_ps(a, b));
  BITS(_mm_cmple_ss(a, b));
  BITS(_mm_cmpunord_ps(a, b));
  BITS(_mm_cmpneq_ps(a, b));
  BITS(_mm_cmpnlt_ps(a, b));
  INTS(_mm_castpd_si128(_mm_cmpge_pd(p, q)));
  INTS(_mm_cvtps_epi32(a));
  INTS(_mm_cvttps_epi32(a));
  INTS(_mm_cvtpd_epi32(p));
  INTS(_mm_cvttpd_epi32(q));
  printf("%d %d %d %d %lld\n", _mm_cvtss_si32(b), _mm_cvttss_si32(b), _mm_cvtsd_si32(q), _mm_cvttsd_si32(q),
         (long long)_mm_cvtsd_si64(p));
  printf("%d%d%d%d%d%d\n", _mm_comieq_ss(a, b), _mm_comilt_ss(a, b), _mm_ucomile_ss(a, b), _mm_comigt_sd(p, q),
         _mm_ucomige_sd(p, q), _mm_comineq_sd(p, q));
  FLOATS(_mm_hadd_ps(b, a));
  FLOATS(_mm_hsub_ps(b, a));
  FLOATS(_mm_addsub_ps(a, b));
  DOUBLES(_mm_hadd_pd(p, q));
  FLOATS(_mm_floor_ps(a));
  FLOATS(_mm_ceil_ps(a));
  FLOATS(_mm_round_ps(b, 0));
  DOUBLES(_mm_round_pd(q, 3));
  DOUBLES(_mm_round_sd(p, q, 1));
  FLOATS(_mm_dp_ps(b, b, 0x37));
  DOUBLES(_mm_dp_pd(q, q, 0x31));
  return 0;
}
