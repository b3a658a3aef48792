/* glibc's brings the types of the system with it. */
#include_next <sys/random.h>
#include <sys/types.h>
