/* Checked functions that answer a name. */
#include "../checked.h"
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

char *__getcwd_chk(char *to, size_t n, size_t size) {
  fits(n, size);
  return getcwd(to, n);
}
char *__realpath_chk(const char *path, char *to, size_t size) {
  fits(PATH_MAX, size);
  return realpath(path, to);
}
int __gethostname_chk(char *to, size_t n, size_t size) {
  fits(n, size);
  return gethostname(to, n);
}
int __ttyname_r_chk(int fd, char *to, size_t n, size_t size) {
  fits(n, size);
  return ttyname_r(fd, to, n);
}
int __getgroups_chk(int n, gid_t *to, size_t size) {
  if (n > 0)
    fits((size_t)n, size / sizeof *to);
  return getgroups(n, to);
}
size_t __confstr_chk(int name, char *to, size_t n, size_t size) {
  fits(n, size);
  return confstr(name, to, n);
}
