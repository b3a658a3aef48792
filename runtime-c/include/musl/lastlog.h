/* glibc's brings these with it. */
#include_next <lastlog.h>
#include <utmp.h>
