/* glibc's has BSD's name of the longest name. */
#include_next <dirent.h>
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#include <limits.h>
#ifndef MAXNAMLEN
#define MAXNAMLEN 255
#endif
#endif
