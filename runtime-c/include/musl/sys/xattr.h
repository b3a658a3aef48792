/* glibc's brings the types of the system with it. */
#include_next <sys/xattr.h>
#include <sys/types.h>
