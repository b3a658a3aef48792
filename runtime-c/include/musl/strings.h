/* glibc's has what POSIX has dropped, unless a program asks for POSIX of 2008. */
#include_next <strings.h>
#if !defined(_GNU_SOURCE) && !defined(_BSD_SOURCE) && !defined(_POSIX_SOURCE) && !defined(_POSIX_C_SOURCE) && \
    !defined(_XOPEN_SOURCE)
int bcmp(const void *, const void *, size_t);
void bcopy(const void *, void *, size_t);
void bzero(void *, size_t);
char *index(const char *, int);
char *rindex(const char *, int);
int ffs(int);
#endif
