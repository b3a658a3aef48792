/* Other names of functions that musl has. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

char *canonicalize_file_name(const char *path) { return realpath(path, 0); }
char *__secure_getenv(const char *name) { return secure_getenv(name); }
long __sysconf(int name) { return sysconf(name); }
int __getpagesize(void) { return getpagesize(); }
