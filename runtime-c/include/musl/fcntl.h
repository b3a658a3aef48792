/* Names that glibc's has beside those of musl. */
#include_next <fcntl.h>
#ifndef O_FSYNC
#define O_FSYNC O_SYNC
#endif
#ifndef F_EXLCK
#define F_EXLCK 4
#define F_SHLCK 8
#endif
#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#include <sys/stat.h>
#ifndef LOCK_SH
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#endif
#endif
