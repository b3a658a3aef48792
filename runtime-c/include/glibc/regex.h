/* glibc's own, but for what its types are in the functions that are called. */
#ifndef EVERETT_GLIBC_REGEX_H
#define EVERETT_GLIBC_REGEX_H

#include_next <regex.h>

__BEGIN_DECLS
extern int regcomp(regex_t *__restrict, const char *__restrict, int)
    __asm__("__everett_gnu_regcomp");
extern int regexec(const regex_t *__restrict, const char *__restrict, size_t, regmatch_t *, int)
    __asm__("__everett_gnu_regexec");
__END_DECLS

#endif
