/* Checked functions on names of the system, and on other fixed buffers. */
#include "../checked.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *__getwd_chk(char *to, size_t size) {
  char path[PATH_MAX];
  if (!getcwd(path, sizeof path))
    return NULL;
  fits(strlen(path) + 1, size);
  return strcpy(to, path);
}
int __ptsname_r_chk(int fd, char *to, size_t n, size_t size) {
  fits(n, size);
  return ptsname_r(fd, to, n);
}
int __getlogin_r_chk(char *to, size_t n, size_t size) {
  fits(n, size);
  return getlogin_r(to, n);
}
int __getdomainname_chk(char *to, size_t n, size_t size) {
  fits(n, size);
  return getdomainname(to, n);
}
char *__gets_chk(char *to, size_t size) {
  size_t n = 0;
  int c;
  while ((c = getchar()) != EOF && c != '\n') {
    fits(n + 2, size);
    to[n++] = c;
  }
  if (c == EOF && n == 0)
    return NULL;
  fits(n + 1, size);
  to[n] = 0;
  return to;
}
long __fdelt_warn(long fd) {
  fits(fd < 0 ? -1 : fd + 1, 1024);
  return fd / (8 * sizeof(long));
}
