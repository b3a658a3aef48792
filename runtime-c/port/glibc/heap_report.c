/* What programs ask about the heap of glibc: it tells of nothing, as the engine's heap keeps nothing back. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct mallinfo {
  int numbers[10];
};
struct mallinfo2 {
  size_t numbers[10];
};

struct mallinfo mallinfo(void) { return (struct mallinfo){{0}}; }
struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){{0}}; }
void malloc_stats(void) {}
int malloc_info(int options, FILE *file) {
  if (options) {
    errno = EINVAL;
    return -1;
  }
  fputs("<malloc version=\"1\">\n</malloc>\n", file);
  return 0;
}
void *pvalloc(size_t n) {
  size_t page = getpagesize();
  return aligned_alloc(page, n ? (n + page - 1) / page * page : page);
}

/* The engine checks every access, so that these have nothing to add. */
int mcheck(void (*failed)(int)) { return 0; }
int mcheck_pedantic(void (*failed)(int)) { return 0; }
void mcheck_check_all(void) {}
int mprobe(void *p) { return 0; }
void mtrace(void) {}
void muntrace(void) {}
