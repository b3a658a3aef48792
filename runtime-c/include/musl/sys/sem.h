/* glibc's brings the types of the system with it. */
#include_next <sys/sem.h>
#include <sys/types.h>
