/* Checked string functions. */
#include "../checked.h"
#include <string.h>

char *__strcpy_chk(char *to, const char *from, size_t size) {
  fits(strlen(from) + 1, size);
  return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
  fits(strlen(from) + 1, size);
  return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
  fits(n, size);
  return strncpy(to, from, n);
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size) {
  fits(n, size);
  return stpncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t size) {
  fits(strlen(to) + strlen(from) + 1, size);
  return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
  fits(strlen(to) + strnlen(from, n) + 1, size);
  return strncat(to, from, n);
}

size_t __strlcpy_chk(char *to, const char *from, size_t n, size_t size) {
  fits(n, size);
  return strlcpy(to, from, n);
}

size_t __strlcat_chk(char *to, const char *from, size_t n, size_t size) {
  fits(n, size);
  return strlcat(to, from, n);
}
