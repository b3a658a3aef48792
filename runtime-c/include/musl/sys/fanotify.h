/* glibc's brings the types of integers with it. */
#include_next <sys/fanotify.h>
#include <stdint.h>
