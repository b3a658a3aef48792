//@ native: yes
// ecvt_r(3), qecvt(3) and strfromd(3) give the digits that glibc gives.
#include "../check.h"
#ifndef __GLIBC__
int ecvt_r(double, int, int *, int *, char *, size_t);
int fcvt_r(double, int, int *, int *, char *, size_t);
char *qecvt(long double, int, int *, int *);
char *qfcvt(long double, int, int *, int *);
char *qgcvt(long double, int, char *);
int strfromd(char *, size_t, const char *, double);
int strfromf(char *, size_t, const char *, float);
int strfroml(char *, size_t, const char *, long double);
#endif

int main(void) {
  static const double values[] = {0, 1, -2.5, 123.456, 0.001234, 99.9, 1e20, -1e-10, 0.5};
  char text[128];
  int point, sign;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    ecvt_r(values[i], 5, &point, &sign, text, sizeof text);
    printf("%g: %s %d %d", values[i], text, point, sign);
    fcvt_r(values[i], 3, &point, &sign, text, sizeof text);
    printf(" | %s %d %d", text, values[i] ? point : 0, sign);
    printf(" | %s\n", qgcvt(values[i], 6, text));
  }
  puts(qecvt(3.25L, 3, &point, &sign));
  puts(qfcvt(3.25L, 1, &point, &sign));
  SHOW(ecvt_r(1.5, 20, &point, &sign, text, 4));
  NUM(strfromd(text, sizeof text, "%.3f", 2.0 / 3));
  puts(text);
  NUM(strfromf(text, 4, "%g", 1234.5f));
  puts(text);
  NUM(strfroml(text, sizeof text, "%.4e", 1.0L / 3));
  puts(text);
  return 0;
}
