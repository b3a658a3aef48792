/* glibc's brings size_t and the functions on time with it. */
#include_next <sched.h>
#include <stddef.h>
#include <time.h>
