/* glibc's brings the functions on strings with it, unless it keeps to a standard. */
#include_next <sys/un.h>
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#include <string.h>
#endif
