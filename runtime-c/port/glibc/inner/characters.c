/* Characters: functions that glibc has where musl has macros, and their inner names. */
#define _GNU_SOURCE
#include <ctype.h>
#include <wchar.h>
#include <wctype.h>

#undef _tolower
#undef _toupper
/* Bits of the classes in glibc's table, which <ctype.h> of glibc makes the argument of. */
int isctype(int c, int mask) {
  extern const unsigned short **__ctype_b_loc(void);
  return (*__ctype_b_loc())[c] & mask;
}
int __isctype(int c, int mask) { return isctype(c, mask); }
int _tolower(int c) { return tolower(c); }
int _toupper(int c) { return toupper(c); }
int __isascii_l(int c, locale_t locale) { return isascii(c); }
int __toascii_l(int c, locale_t locale) { return toascii(c); }
int __iswctype(wint_t c, wctype_t class) { return iswctype(c, class); }
wint_t __towctrans(wint_t c, wctrans_t map) { return towctrans(c, map); }
size_t __mbrlen(const char *from, size_t n, mbstate_t *state) { return mbrlen(from, n, state); }
size_t __mbrtowc(wchar_t *to, const char *from, size_t n, mbstate_t *state) { return mbrtowc(to, from, n, state); }
