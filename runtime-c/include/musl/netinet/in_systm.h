/* glibc's brings the types of the system with it. */
#include_next <netinet/in_systm.h>
#include <sys/types.h>
