/* String functions of glibc that musl does not have, and its inner names of those that it has. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *rawmemchr(const void *s, int c) { return memchr(s, c, (size_t)-1 >> 1); }
void *__rawmemchr(const void *s, int c) { return rawmemchr(s, c); }
char *__strdup(const char *s) { return strdup(s); }
char *__strndup(const char *s, size_t n) { return strndup(s, n); }
char *__strsep(char **s, const char *ends) { return strsep(s, ends); }
void *__mempcpy(void *to, const void *from, size_t n) { return (char *)memcpy(to, from, n) + n; }
int __strcasecmp(const char *a, const char *b) { return strcasecmp(a, b); }
