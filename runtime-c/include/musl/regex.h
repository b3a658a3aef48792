/* glibc's brings the types of the system with it. */
#include_next <regex.h>
#include <sys/types.h>
