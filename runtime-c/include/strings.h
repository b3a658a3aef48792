/* bcmp, which optimisers put in place of a memcmp whose sign is not used. */
#ifndef EVERETT_STRINGS_H
#define EVERETT_STRINGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

int bcmp(const void *a, const void *b, size_t n);

#ifdef __cplusplus
}
#endif

#endif
