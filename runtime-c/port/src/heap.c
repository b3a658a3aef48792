/* What musl's allocator would offer beside the functions that the engine implements. */
#include <stddef.h>

extern size_t klee_get_obj_size(void *);

size_t malloc_usable_size(void *p) { return p ? klee_get_obj_size(p) : 0; }
