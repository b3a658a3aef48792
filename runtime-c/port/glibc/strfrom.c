/* One number by one directive: strfromd(3). */
#include <stdio.h>

int strfromd(char *to, size_t n, const char *format, double value) { return snprintf(to, n, format, value); }
int strfromf(char *to, size_t n, const char *format, float value) { return snprintf(to, n, format, value); }
/* The directive lacks the letter that says how long the number is. */
int strfroml(char *to, size_t n, const char *format, long double value) {
  char whole[64];
  size_t i = 0;
  while (format[i] && format[i + 1] && i < sizeof whole - 3) {
    whole[i] = format[i];
    i++;
  }
  whole[i] = 'L';
  whole[i + 1] = format[i];
  whole[i + 2] = 0;
  return snprintf(to, n, whole, value);
}
int strfromf32(char *to, size_t n, const char *format, float value) { return strfromf(to, n, format, value); }
int strfromf32x(char *to, size_t n, const char *format, double value) { return strfromd(to, n, format, value); }
int strfromf64(char *to, size_t n, const char *format, double value) { return strfromd(to, n, format, value); }
int strfromf64x(char *to, size_t n, const char *format, long double value) { return strfroml(to, n, format, value); }
