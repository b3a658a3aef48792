/* The end of the data segment. musl allows no change of it; glibc's names of it are the same. */
#define _GNU_SOURCE
#include <stdint.h>
#include <unistd.h>

void *__sbrk(intptr_t change) { return sbrk(change); }
