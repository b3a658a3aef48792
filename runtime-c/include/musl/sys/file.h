/* glibc's brings the functions on descriptors with it. */
#include_next <sys/file.h>
#include <fcntl.h>
