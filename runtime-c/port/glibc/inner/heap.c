/* The heap under glibc's inner names, for programs that put their own functions before malloc. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#undef __libc_malloc
#undef __libc_calloc
#undef __libc_realloc
#undef __libc_free
void *memalign(size_t alignment, size_t n);

void *__libc_malloc(size_t n) { return malloc(n); }
void *__libc_calloc(size_t n, size_t size) { return calloc(n, size); }
void *__libc_realloc(void *p, size_t n) { return realloc(p, n); }
void *__libc_reallocarray(void *p, size_t n, size_t size) { return reallocarray(p, n, size); }
void __libc_free(void *p) { free(p); }
void *__libc_memalign(size_t alignment, size_t n) { return memalign(alignment, n); }
void *__libc_valloc(size_t n) { return memalign(getpagesize(), n); }
void __libc_freeres(void) {}
