/* More checked functions on wide characters; sizes are in characters of the destination. */
#include "../checked.h"
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) { return wmemcpy(to, from, n) + n; }
wchar_t *wcschrnul(const wchar_t *text, wchar_t c) {
  while (*text && *text != c)
    text++;
  return (wchar_t *)text;
}
wchar_t *__wmempcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size) {
  fits(n, size);
  return wmempcpy(to, from, n);
}
wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *from, size_t size) {
  fits(wcslen(from) + 1, size);
  return wcpcpy(to, from);
}
wchar_t *__wcpncpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size) {
  fits(n, size);
  return wcpncpy(to, from, n);
}
wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size) {
  fits(wcslen(to) + wcsnlen(from, n) + 1, size);
  return wcsncat(to, from, n);
}
size_t __mbsnrtowcs_chk(wchar_t *to, const char **from, size_t bytes, size_t n, mbstate_t *state, size_t size) {
  fits(n, size);
  return mbsnrtowcs(to, from, bytes, n, state);
}
size_t __wcsnrtombs_chk(char *to, const wchar_t **from, size_t wide, size_t n, mbstate_t *state, size_t size) {
  fits(n, size);
  return wcsnrtombs(to, from, wide, n, state);
}
wchar_t *__fgetws_chk(wchar_t *to, size_t size, int n, FILE *file) {
  fits(n > 0 ? n : 0, size);
  return fgetws(to, n, file);
}
wchar_t *__fgetws_unlocked_chk(wchar_t *to, size_t size, int n, FILE *file) {
  return __fgetws_chk(to, size, n, file);
}

int __vswprintf_chk(wchar_t *to, size_t n, int flag, size_t size, const wchar_t *format, va_list args) {
  fits(n, size);
  return vswprintf(to, n, format, args);
}
int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list args) {
  return vfwprintf(file, format, args);
}
int __vwprintf_chk(int flag, const wchar_t *format, va_list args) { return vwprintf(format, args); }

#define FORWARD(call)         \
  va_list args;               \
  va_start(args, format);     \
  int result = call;          \
  va_end(args);               \
  return result

int __swprintf_chk(wchar_t *to, size_t n, int flag, size_t size, const wchar_t *format, ...) {
  FORWARD(__vswprintf_chk(to, n, flag, size, format, args));
}
int __fwprintf_chk(FILE *file, int flag, const wchar_t *format, ...) { FORWARD(vfwprintf(file, format, args)); }
int __wprintf_chk(int flag, const wchar_t *format, ...) { FORWARD(vwprintf(format, args)); }
