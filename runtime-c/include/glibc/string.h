/* glibc's own, but for functions that are not what other libraries call by the same name. */
#ifndef EVERETT_GLIBC_STRING_H
#define EVERETT_GLIBC_STRING_H

#include_next <string.h>

#ifdef __USE_GNU
__BEGIN_DECLS
extern char *strerror_r(int, char *, size_t) __THROW __asm__("__everett_gnu_strerror_r");
#if !defined basename && !defined __cplusplus
extern char *basename(const char *) __THROW __asm__("__everett_gnu_basename");
#endif
__END_DECLS
#endif

#endif
