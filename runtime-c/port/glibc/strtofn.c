/* Numbers of the types with a width in their names. */
#define _GNU_SOURCE
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

#define TYPE(name, type, plain)                                                                        \
  type strto##name(const char *text, char **end) { return strto##plain(text, end); }                   \
  type strto##name##_l(const char *text, char **end, locale_t locale) { return strto##plain(text, end); } \
  type wcsto##name(const wchar_t *text, wchar_t **end) { return wcsto##plain(text, end); }             \
  type wcsto##name##_l(const wchar_t *text, wchar_t **end, locale_t locale) { return wcsto##plain(text, end); }

TYPE(f32, float, f)
TYPE(f32x, double, d)
TYPE(f64, double, d)
TYPE(f64x, long double, ld)
