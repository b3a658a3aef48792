/* glibc's has BSD's name of the longest name. */
#include_next <sys/utsname.h>
#ifndef SYS_NMLN
#define SYS_NMLN 65
#endif
