/* Comparing without case, and what optimisers put in place of a memcmp whose sign is not used. */
#ifndef EVERETT_STRINGS_H
#define EVERETT_STRINGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

int bcmp(const void *a, const void *b, size_t n);
void bzero(void *to, size_t n);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);

#ifdef __cplusplus
}
#endif

#endif
