//@ native: yes
// printf of integers with every size, flag, width and precision.
#include "../check.h"
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>

volatile int one = 1, big = INT_MAX, least = INT_MIN, zero = 0;

int main(void) {
  printf("[%d] [%i] [%u] [%x] [%X] [%o]\n", least, big, (unsigned)least, 0xbeefU, 0xBEEFU, 8U);
  printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%+5d] [%-+5d]\n", one, one, one, one, one, one, one);
  printf("[%.3d] [%5.3d] [%-5.3d] [%.0d] [%.0d]\n", one, one, one, zero, one);
  printf("[%#x] [%#X] [%#o] [%#x] [%#o] [%#10x] [%#010x]\n", 255U, 255U, 8U, 0U, 0U, 255U, 255U);
  printf("[%hhd] [%hd] [%hhu] [%hu]\n", (signed char)-1, (short)-2, (unsigned char)255,
         (unsigned short)65535);
  printf("[%ld] [%lu] [%lld] [%llx]\n", LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX);
  printf("[%zu] [%zd] [%td] [%jd] [%ju]\n", (size_t)-1, (ssize_t)-5, (ptrdiff_t)-6, (intmax_t)-7,
         (uintmax_t)8);
  printf("[%*d] [%-*d] [%*d] [%.*d]\n", 4, one, 4, one, -4, one, 3, one);
  printf("[%" PRId64 "] [%" PRIx32 "] [%" PRIu8 "]\n", INT64_MIN, UINT32_MAX, UINT8_MAX);
  printf("[%2$d] [%1$d]\n", 11, 22);
  printf("[%3d%%] [%c] [%3c] [%-3c]\n", 50, 'x', 'y', 'z');
  int here = 0;
  printf("12345%n", &here);
  printf(" %d\n", here);
  printf("[%p]\n", (void *)0x1234);
  return 0;
}
