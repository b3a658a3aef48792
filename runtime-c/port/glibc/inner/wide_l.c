/* Wide characters without regard to case, under inner names. */
#define _GNU_SOURCE
#include <wchar.h>

int __wcscasecmp_l(const wchar_t *a, const wchar_t *b, locale_t locale) { return wcscasecmp_l(a, b, locale); }
int __wcsncasecmp_l(const wchar_t *a, const wchar_t *b, size_t n, locale_t locale) {
  return wcsncasecmp_l(a, b, n, locale);
}
