/* glibc's brings the types of the system with it, and signals. */
#include <sys/types.h>
#include <signal.h>
#include_next <aio.h>
