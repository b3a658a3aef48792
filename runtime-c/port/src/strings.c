/* musl's inner names of functions that the engine implements, for programs that use them. */
#define _GNU_SOURCE
#undef __stpcpy
#undef __stpncpy
#undef __strchrnul
#undef __memrchr
#include <string.h>

char *__stpcpy(char *restrict to, const char *restrict from) { return stpcpy(to, from); }
char *__stpncpy(char *restrict to, const char *restrict from, size_t n) { return stpncpy(to, from, n); }
char *__strchrnul(const char *s, int c) { return strchrnul(s, c); }
void *__memrchr(const void *s, int c, size_t n) { return memrchr(s, c, n); }
