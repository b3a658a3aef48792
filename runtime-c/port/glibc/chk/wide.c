/* Checked functions on wide and multibyte characters; sizes are in characters of the destination. */
#include "../checked.h"
#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size) {
  fits(n, size);
  return wmemcpy(to, from, n);
}
wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size) {
  fits(n, size);
  return wmemmove(to, from, n);
}
wchar_t *__wmemset_chk(wchar_t *to, wchar_t value, size_t n, size_t size) {
  fits(n, size);
  return wmemset(to, value, n);
}
wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t size) {
  fits(wcslen(from) + 1, size);
  return wcscpy(to, from);
}
wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size) {
  fits(n, size);
  return wcsncpy(to, from, n);
}
wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t size) {
  fits(wcslen(to) + wcslen(from) + 1, size);
  return wcscat(to, from);
}
size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t n, size_t size) {
  fits(n, size);
  return mbstowcs(to, from, n);
}
size_t __wcstombs_chk(char *to, const wchar_t *from, size_t n, size_t size) {
  fits(n, size);
  return wcstombs(to, from, n);
}
size_t __mbsrtowcs_chk(wchar_t *to, const char **from, size_t n, mbstate_t *state, size_t size) {
  fits(n, size);
  return mbsrtowcs(to, from, n, state);
}
size_t __wcsrtombs_chk(char *to, const wchar_t **from, size_t n, mbstate_t *state, size_t size) {
  fits(n, size);
  return wcsrtombs(to, from, n, state);
}
size_t __wcrtomb_chk(char *to, wchar_t c, mbstate_t *state, size_t size) {
  fits(MB_LEN_MAX, size);
  return wcrtomb(to, c, state);
}
int __wctomb_chk(char *to, wchar_t c, size_t size) {
  fits(MB_LEN_MAX, size);
  return wctomb(to, c);
}
