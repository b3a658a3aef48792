/* What GNU programs mean by names that POSIX gives to other functions. <string.h> for programs compiled
 * against glibc's headers calls them so. */
#include <stddef.h>
#include <string.h>

char *__everett_gnu_strerror_r(int number, char *buffer, size_t size) { return strerror(number); }

char *__everett_gnu_basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash ? slash + 1 : (char *)path;
}
