/* glibc's brings these with it. */
#include_next <utmp.h>
#include <sys/types.h>
#include <sys/time.h>
