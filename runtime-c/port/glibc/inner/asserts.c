/* What <assert.h> of glibc calls beside __assert_fail. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

_Noreturn void __assert_fail(const char *text, const char *file, int line, const char *function);

_Noreturn void __assert(const char *text, const char *file, int line) { __assert_fail(text, file, line, "?"); }

_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
  __assert_fail(strerror(number), file, line, function);
}
