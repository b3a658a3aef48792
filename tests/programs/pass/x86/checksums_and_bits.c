//@ native: yes
//@ cflags: -msse4.2 -mbmi -mbmi2 -mpclmul
// CRC-32C, products without carries, and the instructions on bits that BMI has.
#include <immintrin.h>
#include <stdio.h>

volatile unsigned long x = 0xfedcba9876543210ul, y = 0x8000ff00f0f00a05ul;
volatile unsigned control = 0x0c05;

int main(void) {
  unsigned long a = x, b = y;
  printf("%x %x %x %llx\n", _mm_crc32_u8(1, a), _mm_crc32_u16(2, a), _mm_crc32_u32(3, a), _mm_crc32_u64(4, a));
  unsigned sum = ~0u;
  for (const char *c = "123456789"; *c; c++)
    sum = _mm_crc32_u8(sum, *c);
  printf("%x\n", ~sum);
  printf("%llx %llx %x %x\n", _pext_u64(a, b), _pdep_u64(a, b), _pext_u32(a, b), _pdep_u32(a, b));
  printf("%llx %llx %llx %llx\n", _bzhi_u64(a, 20), _bzhi_u64(a, 64), __bextr_u64(a, control), __bextr_u64(a, 0x4040));
  __m128i p = _mm_set_epi64x(a, b), q = _mm_set_epi64x(b + 1, a ^ 5);
  for (int i = 0; i < 4; i++) {
    __m128i r = i == 0   ? _mm_clmulepi64_si128(p, q, 0)
                : i == 1 ? _mm_clmulepi64_si128(p, q, 1)
                : i == 2 ? _mm_clmulepi64_si128(p, q, 16)
                         : _mm_clmulepi64_si128(p, q, 17);
    printf("%llx %llx\n", (long long)_mm_cvtsi128_si64(r), (long long)_mm_extract_epi64(r, 1));
  }
  unsigned long long low, high;
  unsigned char carry = _addcarry_u64(0, a, b, &low);
  carry = _addcarry_u64(carry, ~0ul, 0, &high);
  printf("%llx %llx %d\n", low, high, carry);
  carry = _subborrow_u64(1, 5, 5, &low);
  carry = _subborrow_u64(carry, b, a, &high);
  printf("%llx %llx %d\n", low, high, carry);
  unsigned word;
  carry = _addcarry_u32(1, ~0u, 0, &word);
  printf("%x %d\n", word, carry);
  return 0;
}
