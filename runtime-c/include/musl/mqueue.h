/* glibc's brings these with it. */
#include_next <mqueue.h>
#include <sys/types.h>
#include <fcntl.h>
