/* glibc's brings these with it. */
#include_next <sys/param.h>
#include <endian.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>
#ifndef NODEV
#define NODEV ((dev_t)-1)
#endif
