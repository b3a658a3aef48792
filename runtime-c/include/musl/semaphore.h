/* glibc's brings the types of the system with it. */
#include_next <semaphore.h>
#include <sys/types.h>
