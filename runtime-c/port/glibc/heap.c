/* Tuning of an allocator that has nothing to tune: settings are accepted, and no memory is kept back. */
#include <stddef.h>

int mallopt(int name, int value) { return 1; }
int malloc_trim(size_t pad) { return 0; }
void cfree(void *p) {
  extern void free(void *);
  free(p);
}
