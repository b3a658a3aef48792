/* glibc's inner names of functions on strings and memory. */
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

char *__strtok_r(char *text, const char *ends, char **state) { return strtok_r(text, ends, state); }
char *__strcasestr(const char *text, const char *part) { return strcasestr(text, part); }
int __strverscmp(const char *a, const char *b) { return strverscmp(a, b); }
char *__strsep_g(char **text, const char *ends) { return strsep(text, ends); }
char *__strerror_r(int number, char *to, size_t n) {
  char *text = strerror(number);
  return strlen(text) < n ? strcpy(to, text) : text;
}
void __bzero(void *to, size_t n) { memset(to, 0, n); }
int __ffs(int value) { return ffs(value); }
/* Only equality is told, so that any order will do. */
int __memcmpeq(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
