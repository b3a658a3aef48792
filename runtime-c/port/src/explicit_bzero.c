/* Clearing that the optimiser keeps: it knows nothing about memset here. */
#define _GNU_SOURCE
#include <string.h>

void explicit_bzero(void *p, size_t n) { memset(p, 0, n); }
