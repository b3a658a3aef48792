/* glibc's brings the types of the system with it. */
#include_next <netinet/udp.h>
#include <sys/types.h>
