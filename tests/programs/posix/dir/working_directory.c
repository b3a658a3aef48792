//@ native: yes
// chdir and fchdir set where relative paths start; getcwd tells it without links.
#include "../check.h"

static char path[4200], start[4200];

int main(void) {
  be_ordinary_user();
  need(getcwd(start, sizeof start) != 0, "getcwd");
  size_t base = strlen(start);
  need(mkdir("a", 0755) == 0 && mkdir("a/b", 0755) == 0 && mkdir("locked", 0600) == 0, "mkdir");
  need(symlink("a/b", "link") == 0, "symlink");
  put("file", "top");
  put("a/b/file", "deep");
  int here = OK(open(".", O_RDONLY)), file = OK(open("file", O_RDONLY)),
      locked = OK(open("locked", O_RDONLY));
  SHOW(chdir("link"));
  cat("file");
  puts(getcwd(path, sizeof path) + base);
  SHOW(chdir(".."));
  puts(getcwd(path, sizeof path) + base);
  SHOW(fchdir(here));
  cat("file");
  SHOW(chdir("none"));
  SHOW(chdir("file"));
  SHOW(chdir(""));
  SHOW(chdir("locked"));
  SHOW(chdir(unmapped));
  SHOW(fchdir(file));
  SHOW(fchdir(minus_one));
  SHOW(fchdir(locked));
  PTR(getcwd(path, 2));
  SHOW(rename("a", "renamed"));
  SHOW(chdir("renamed/b"));
  SHOW(rename("../../renamed", "../../again"));
  puts(getcwd(path, sizeof path) + base);
  char *own = getcwd(0, 0);
  puts(own + base);
  free(own);
  SHOW(chdir("/"));
  puts(getcwd(path, sizeof path));
  SHOW(chdir("../.."));
  puts(getcwd(path, sizeof path));
  SHOW(fchdir(here));
  IS(strcmp(getcwd(path, sizeof path), start) == 0);
  return close(here) | close(file) | close(locked);
}
