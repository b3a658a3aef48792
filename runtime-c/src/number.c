/* Absolute values, numbers from text, pseudo-random numbers. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }

static int digit_value(char c) {
  if (isdigit((unsigned char)c))
    return c - '0';
  if (isalpha((unsigned char)c))
    return (c | 32) - 'a' + 10;
  return 99;
}

struct parsed {
  unsigned long magnitude;
  int negative;
  int overflowed;
};

static struct parsed parse(const char *s, char **end, int base) {
  struct parsed r = {0, 0, 0};
  const char *p = s, *after = s;
  while (isspace((unsigned char)*p))
    p++;
  if (*p == '+' || *p == '-')
    r.negative = *p++ == '-';
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] | 32) == 'x' && digit_value(p[2]) < 16) {
    p += 2;
    base = 16;
  }
  if (base == 0)
    base = *p == '0' ? 8 : 10;
  if (base < 2 || base > 36) {
    errno = EINVAL;
  } else {
    for (int digit; (digit = digit_value(*p)) < base; after = ++p) {
      unsigned long shifted;
      int over = __builtin_mul_overflow(r.magnitude, (unsigned long)base, &shifted);
      over |= __builtin_add_overflow(shifted, (unsigned long)digit, &r.magnitude);
      r.overflowed |= over;
    }
  }
  if (end)
    *end = (char *)after;
  return r;
}

long strtol(const char *s, char **end, int base) {
  struct parsed r = parse(s, end, base);
  unsigned long limit = (unsigned long)LONG_MAX + (unsigned long)r.negative;
  if (r.overflowed || r.magnitude > limit) {
    errno = ERANGE;
    r.magnitude = limit;
  }
  return (long)(r.negative ? 0 - r.magnitude : r.magnitude);
}

unsigned long strtoul(const char *s, char **end, int base) {
  struct parsed r = parse(s, end, base);
  if (r.overflowed) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  return r.negative ? 0 - r.magnitude : r.magnitude;
}

long long strtoll(const char *s, char **end, int base) { return strtol(s, end, base); }
unsigned long long strtoull(const char *s, char **end, int base) { return strtoul(s, end, base); }
int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }

static unsigned long random_state = 1;

void srand(unsigned seed) { random_state = seed; }

int rand(void) {
  random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
  return (int)(random_state >> 33);
}
