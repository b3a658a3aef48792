//@ native: yes
// realpath gives the path without links and dots, or the error of the first part that fails.
#include "../check.h"
#include <limits.h>

static char start[PATH_MAX], path[PATH_MAX];

static const char *below(const char *name) {
  errno = 0;
  if (!realpath(name, path))
    return errno_name(errno);
  size_t n = strlen(start);
  return strncmp(path, start, n) == 0 ? path + n : path;
}

int main(void) {
  need(realpath(".", start) != 0, "realpath");
  need(mkdir("dir", 0755) == 0 && mkdir("dir/sub", 0755) == 0, "mkdir");
  put("dir/file", "x");
  need(symlink("dir/sub", "link") == 0 && symlink("../file", "dir/sub/up") == 0 &&
           symlink("loop", "loop") == 0,
       "symlink");
  need(symlink("/dev/null", "absolute") == 0, "symlink");
  puts(below("dir//./sub/../file"));
  puts(below("link"));
  puts(below("link/up"));
  puts(below("link/.."));
  puts(below("absolute"));
  puts(below("/"));
  puts(below("/.."));
  puts(below("none"));
  puts(below("none/.."));
  puts(below("dir/file/x"));
  puts(below("loop"));
  puts(below(""));
  char *own = realpath("link", 0);
  puts(own + strlen(start));
  free(own);
  return 0;
}
