/* Functions on strings, byte by byte: the last byte read is the terminator. */
#include <stdlib.h>
#include <string.h>

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n])
    n++;
  return n;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i] || !a[i])
      return (unsigned char)a[i] - (unsigned char)b[i];
  return 0;
}

char *stpcpy(char *to, const char *from) {
  while ((*to = *from)) {
    to++;
    from++;
  }
  return to;
}

char *strcpy(char *to, const char *from) {
  stpcpy(to, from);
  return to;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  char *out = to + strlen(to);
  for (size_t i = 0; i < n && from[i]; i++)
    *out++ = from[i];
  *out = 0;
  return to;
}

char *strchr(const char *s, int c) {
  for (; *s != (char)c; s++)
    if (!*s)
      return 0;
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  const char *last = 0;
  do {
    if (*s == (char)c)
      last = s;
  } while (*s++);
  return (char *)last;
}

char *strstr(const char *haystack, const char *needle) {
  for (;; haystack++) {
    size_t i = 0;
    while (needle[i] && haystack[i] == needle[i])
      i++;
    if (!needle[i])
      return (char *)haystack;
    if (!haystack[i])
      return 0;
  }
}

static int contains(const char *set, char c) {
  for (; *set; set++)
    if (*set == c)
      return 1;
  return 0;
}

size_t strspn(const char *s, const char *accept) {
  size_t n = 0;
  while (s[n] && contains(accept, s[n]))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *reject) {
  size_t n = 0;
  while (s[n] && !contains(reject, s[n]))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *accept) {
  s += strcspn(s, accept);
  return *s ? (char *)s : 0;
}

char *strdup(const char *s) {
  char *copy = malloc(strlen(s) + 1);
  return copy ? strcpy(copy, s) : 0;
}
