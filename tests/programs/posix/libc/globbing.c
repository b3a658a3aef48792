//@ native: yes
// glob finds sorted names; fnmatch decides one name.
#include "../check.h"
#include <fnmatch.h>
#include <glob.h>

static void list(const char *pattern, int flags) {
  glob_t g;
  int r = glob(pattern, flags, 0, &g);
  printf("%s:", pattern);
  if (r == GLOB_NOMATCH)
    printf(" none");
  else
    for (size_t i = 0; i < g.gl_pathc; i++)
      printf(" %s", g.gl_pathv[i]);
  puts("");
  if (r == 0)
    globfree(&g);
}

static int match(const char *pattern, const char *name, int flags) {
  return fnmatch(pattern, name, flags) == 0;
}

int main(void) {
  put("b.c", ""), put("a.c", ""), put("a.h", ""), put(".hidden", ""), put("file[1]", "");
  need(mkdir("dir", 0755) == 0 && mkdir("dir2", 0755) == 0, "mkdir");
  put("dir/x.c", ""), put("dir2/y.c", "");
  list("*.c", 0), list("*", 0), list("?.[ch]", 0), list("[!a].*", 0), list("dir*/*.c", 0), list("none*", 0);
  list("none", GLOB_NOCHECK), list(".*n", 0), list("dir*", GLOB_MARK), list("file\\[1\\]", 0), list("a.c", 0);
  glob_t g;
  SHOW(glob("*.c", 0, 0, &g));
  SHOW(glob("*.h", GLOB_APPEND, 0, &g));
  NUM(g.gl_pathc);
  globfree(&g);
  printf("%d%d%d%d", match("*.c", "a.c", 0), match("*.c", "a.h", 0), match("a*", "a/b", 0),
         match("a*", "a/b", FNM_PATHNAME));
  printf("%d%d%d%d", match("*", ".x", 0), match("*", ".x", FNM_PERIOD), match("[a-c]?", "bz", 0),
         match("[!a-c]", "b", 0));
  printf("%d%d%d%d\n", match("\\*", "*", 0), match("\\*", "\\x", FNM_NOESCAPE), match("A", "a", FNM_CASEFOLD),
         match("", "", 0));
  return 0;
}
