/* glibc's brings the types of the system with it, unless it keeps to a standard. */
#include_next <stdlib.h>
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#include <sys/types.h>
#endif
