/* glibc's inner names of functions on the table of mounts. */
#define _GNU_SOURCE
#include <mntent.h>
#include <stdio.h>

FILE *__setmntent(const char *path, const char *mode) { return setmntent(path, mode); }
int __endmntent(FILE *file) { return endmntent(file); }
struct mntent *__getmntent_r(FILE *file, struct mntent *to, char *text, int n) {
  return getmntent_r(file, to, text, n);
}
