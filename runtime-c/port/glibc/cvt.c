/* Decimal digits of numbers, also of long double and into buffers of the caller: ecvt_r(3), qecvt(3). */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 17, MOST_LONG = 21 };

/* `fixed` asks for digits behind the point, and otherwise for digits in all. */
static int convert(long double value, int n, int *point, int *sign, char *to, size_t size, int fixed, int most) {
  char text[5100];
  *sign = signbit(value) != 0;
  value = fabsl(value);
  if (!isfinite(value)) {
    *point = 0;
    if (size < 4)
      return -1;
    strcpy(to, isnan(value) ? "nan" : "inf");
    return 0;
  }
  if (!fixed && n <= 0) {
    to[0] = 0;
    *point = 0;
    return 0;
  }
  if (!fixed) {
    int digits = n > most ? most : n;
    snprintf(text, sizeof text, "%.*Le", digits - 1, value);
    char *e = strchr(text, 'e');
    *point = value == 0 ? 1 : atoi(e + 1) + 1;
    if ((size_t)digits >= size)
      return -1;
    to[0] = text[0];
    memcpy(to + 1, text + 2, digits - 1);
    to[digits] = 0;
    return 0;
  }
  int digits = n > most ? most : n;
  if (digits < 0) {
    long double unit = 1;
    for (int i = digits; i < 0; i++)
      unit *= 10;
    value = value / unit;
    snprintf(text, sizeof text, "%.0Lf", roundl(value));
    for (int i = digits; i < 0; i++)
      strcat(text, "0");
    digits = 0;
  } else
    snprintf(text, sizeof text, "%.*Lf", digits, value);
  char *dot = strchr(text, '.');
  size_t whole = dot ? (size_t)(dot - text) : strlen(text);
  if (dot)
    memmove(dot, dot + 1, strlen(dot));
  *point = whole;
  char *from = text;
  /* A number below one has no digit before the point, and zeroes behind it only move the point. */
  if (value < 1 && digits > 0) {
    from++;
    *point = 0;
    while (*from == '0' && value != 0) {
      from++;
      --*point;
    }
    if (value == 0) {
      from = text;
      *point = 0;
    }
  }
  if (strlen(from) >= size)
    return -1;
  strcpy(to, from);
  return 0;
}

int ecvt_r(double value, int n, int *point, int *sign, char *to, size_t size) {
  return convert(value, n, point, sign, to, size, 0, MOST);
}
int fcvt_r(double value, int n, int *point, int *sign, char *to, size_t size) {
  return convert(value, n, point, sign, to, size, 1, MOST);
}
int qecvt_r(long double value, int n, int *point, int *sign, char *to, size_t size) {
  return convert(value, n, point, sign, to, size, 0, MOST_LONG);
}
int qfcvt_r(long double value, int n, int *point, int *sign, char *to, size_t size) {
  return convert(value, n, point, sign, to, size, 1, MOST_LONG);
}

static char digits[5000];
char *qecvt(long double value, int n, int *point, int *sign) {
  return qecvt_r(value, n, point, sign, digits, sizeof digits) ? NULL : digits;
}
char *qfcvt(long double value, int n, int *point, int *sign) {
  return qfcvt_r(value, n, point, sign, digits, sizeof digits) ? NULL : digits;
}
char *qgcvt(long double value, int n, char *to) {
  sprintf(to, "%.*Lg", n > MOST_LONG ? MOST_LONG : n, value);
  return to;
}
