/* Numbers in texts. Most of them have few digits: these are an integer and a power of ten that a floating-point
   number holds exactly, so that one quotient or product rounds them, as it should. Of symbolic digits, that is a
   small expression. All others are read by musl's scanner, which computes with many digits. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include "floatscan.h"
#include "shgetc.h"
#include "stdio_impl.h"

/* A number that is `digits` times ten to the power of `power`. */
struct decimal {
  uint64_t digits;
  int power;
  int negative;
  const char *end;
};

/* One more digit fits below. */
static const uint64_t DIGITS_MAX = (UINT64_MAX - 9) / 10;
static const int EXPONENT_MAX = 1000;

/* Reads digits; 0 if they do not fit. */
static int read_digits(const char **at, struct decimal *number) {
  const char *s = *at;
  for (; isdigit((unsigned char)*s); s++) {
    if (number->digits > DIGITS_MAX)
      return 0;
    number->digits = 10 * number->digits + (*s - '0');
  }
  *at = s;
  return 1;
}

/* Reads an exponent, if there is one; 0 if it is out of all bounds. */
static int read_exponent(const char **at, struct decimal *number) {
  const char *s = *at + 1;
  int negative = *s == '-', exponent = 0;
  if (*s == '-' || *s == '+')
    s++;
  if (!isdigit((unsigned char)*s))
    return 1;
  for (; isdigit((unsigned char)*s); s++) {
    if (exponent > EXPONENT_MAX)
      return 0;
    exponent = 10 * exponent + (*s - '0');
  }
  number->power += negative ? -exponent : exponent;
  *at = s;
  return 1;
}

/* Reads a decimal number of few digits; 0 if the text begins with anything else. */
static int read_decimal(const char *s, struct decimal *number) {
  *number = (struct decimal){0};
  while (isspace((unsigned char)*s))
    s++;
  number->negative = *s == '-';
  if (*s == '-' || *s == '+')
    s++;
  if (*s == '0' && (s[1] == 'x' || s[1] == 'X'))
    return 0;
  const char *whole = s;
  if (!read_digits(&s, number))
    return 0;
  int count = s - whole;
  if (*s == '.') {
    const char *fraction = ++s;
    if (!read_digits(&s, number))
      return 0;
    number->power = fraction - s;
    count += s - fraction;
  }
  if (count == 0)
    return 0;
  if ((*s == 'e' || *s == 'E') && !read_exponent(&s, number))
    return 0;
  number->end = s;
  return 1;
}

static long double scan(const char *s, char **end, int precision) {
  FILE file;
  sh_fromstring(&file, s);
  shlim(&file, 0);
  const long double number = __floatscan(&file, precision, 1);
  const off_t length = shcnt(&file);
  if (end)
    *end = (char *)s + length;
  return number;
}

/* A function for a type in which integers up to INTEGER_MAX and powers of ten up to POWER_MAX are exact. */
#define NUMBER_OF_TEXT(NAME, TYPE, PRECISION, INTEGER_MAX, POWER_MAX)                                                  \
  TYPE NAME(const char *restrict s, char **restrict end) {                                                             \
    struct decimal number;                                                                                             \
    if (!read_decimal(s, &number) || number.digits > INTEGER_MAX)                                                      \
      return scan(s, end, PRECISION);                                                                                  \
    TYPE value = number.digits;                                                                                        \
    TYPE scale = 1;                                                                                                    \
    int power = number.power < 0 ? -number.power : number.power;                                                       \
    if (number.digits != 0) {                                                                                          \
      if (power > POWER_MAX)                                                                                           \
        return scan(s, end, PRECISION);                                                                                \
      for (int i = 0; i < power; i++)                                                                                  \
        scale *= 10;                                                                                                   \
      value = number.power < 0 ? value / scale : value * scale;                                                        \
    }                                                                                                                  \
    if (end)                                                                                                           \
      *end = (char *)number.end;                                                                                       \
    return number.negative ? -value : value;                                                                           \
  }

NUMBER_OF_TEXT(strtof, float, 0, (1 << 24), 10)
NUMBER_OF_TEXT(strtod, double, 1, (1LL << 53), 22)
NUMBER_OF_TEXT(strtold, long double, 2, UINT64_MAX, 27)
