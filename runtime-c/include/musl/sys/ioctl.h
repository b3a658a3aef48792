/* glibc's brings the usual settings of terminals with it. */
#include_next <sys/ioctl.h>
#include <sys/ttydefaults.h>
