/* Checked memory functions. */
#include "../checked.h"
#include <string.h>

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
  fits(n, size);
  return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
  fits(n, size);
  return memmove(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
  fits(n, size);
  return (char *)memcpy(to, from, n) + n;
}

void *__memset_chk(void *to, int value, size_t n, size_t size) {
  fits(n, size);
  return memset(to, value, n);
}

void __explicit_bzero_chk(void *to, size_t n, size_t size) {
  fits(n, size);
  memset(to, 0, n);
}
