/* Checked input from files. */
#include "../checked.h"
#include <stdio.h>

char *__fgets_chk(char *to, size_t size, int n, FILE *file) {
  if (n > 0)
    fits(n, size);
  return fgets(to, n, file);
}
char *__fgets_unlocked_chk(char *to, size_t size, int n, FILE *file) {
  return __fgets_chk(to, size, n, file);
}
size_t __fread_chk(void *to, size_t size, size_t each, size_t n, FILE *file) {
  size_t need;
  if (__builtin_mul_overflow(each, n, &need))
    __chk_fail();
  fits(need, size);
  return fread(to, each, n, file);
}
size_t __fread_unlocked_chk(void *to, size_t size, size_t each, size_t n, FILE *file) {
  return __fread_chk(to, size, each, n, file);
}
