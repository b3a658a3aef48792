/* glibc's brings size_t with it. */
#include_next <dlfcn.h>
#include <stddef.h>
