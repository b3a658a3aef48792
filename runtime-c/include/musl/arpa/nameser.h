/* glibc's brings these with it. */
#include_next <arpa/nameser.h>
#include <sys/param.h>
#include <sys/types.h>
