/* Numbers in the notation of a locale. There is one notation. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <wchar.h>

#define INTEGER(type, name, from)                                                                \
  type name##_l(const from *text, from **end, int base, locale_t locale) { return name(text, end, base); } \
  type __##name##_l(const from *text, from **end, int base, locale_t locale) { return name(text, end, base); }
#define FLOAT(type, name, from)                                                                  \
  type name##_l(const from *text, from **end, locale_t locale) { return name(text, end); }      \
  type __##name##_l(const from *text, from **end, locale_t locale) { return name(text, end); }

INTEGER(long, strtol, char)
INTEGER(long long, strtoll, char)
INTEGER(unsigned long, strtoul, char)
INTEGER(unsigned long long, strtoull, char)
INTEGER(long, wcstol, wchar_t)
INTEGER(long long, wcstoll, wchar_t)
INTEGER(unsigned long, wcstoul, wchar_t)
INTEGER(unsigned long long, wcstoull, wchar_t)
FLOAT(double, wcstod, wchar_t)
FLOAT(float, wcstof, wchar_t)
FLOAT(long double, wcstold, wchar_t)

/* The names of BSD. */
long long strtoq(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtouq(const char *text, char **end, int base) { return strtoull(text, end, base); }
long long wcstoq(const wchar_t *text, wchar_t **end, int base) { return wcstoll(text, end, base); }
unsigned long long wcstouq(const wchar_t *text, wchar_t **end, int base) { return wcstoull(text, end, base); }

/* What old headers turn strtod into; grouping is not there. */
double __strtod_internal(const char *text, char **end, int group) { return strtod(text, end); }
float __strtof_internal(const char *text, char **end, int group) { return strtof(text, end); }
long double __strtold_internal(const char *text, char **end, int group) { return strtold(text, end); }

char *strptime_l(const char *text, const char *format, struct tm *to, locale_t locale) {
  return strptime(text, format, to);
}
