/* glibc's brings these with it. */
#include_next <ftw.h>
#include <sys/types.h>
#include <sys/stat.h>
