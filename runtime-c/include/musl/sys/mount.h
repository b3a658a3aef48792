/* glibc's brings these with it. */
#include_next <sys/mount.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
