/* glibc's brings files with it, unless it keeps to a standard. */
#include_next <grp.h>
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#include <stdio.h>
#endif
