//@ native: yes
// nftw visits a tree, before or after its content, through links or not.
#include "../check.h"
#include <ftw.h>

static int files, directories, after, links, dangling, unreadable, deepest, base_wrong;

static int visit(const char *path, const struct stat *st, int kind, struct FTW *ftw) {
  files += kind == FTW_F;
  directories += kind == FTW_D;
  after += kind == FTW_DP;
  links += kind == FTW_SL;
  dangling += kind == FTW_SLN;
  unreadable += kind == FTW_DNR;
  if (ftw->level > deepest)
    deepest = ftw->level;
  base_wrong += ftw->base > 0 && path[ftw->base - 1] != '/';
  (void)st;
  return 0;
}

static int stop(const char *path, const struct stat *st, int kind, struct FTW *ftw) {
  (void)path, (void)st, (void)kind;
  return ftw->level == 2 ? 77 : 0;
}

static void walk(int flags) {
  files = directories = after = links = dangling = unreadable = deepest = base_wrong = 0;
  int r = nftw("tree", visit, 5, flags);
  printf(
      "%d: files %d, directories %d, after %d, links %d, dangling %d, unreadable %d, deepest %d, base %d\n",
      r, files, directories, after, links, dangling, unreadable, deepest, base_wrong);
}

int main(void) {
  be_ordinary_user();
  need(mkdir("tree", 0755) == 0 && mkdir("tree/a", 0755) == 0 && mkdir("tree/a/b", 0755) == 0, "mkdir");
  put("tree/one", "1"), put("tree/a/two", "2"), put("tree/a/b/three", "3");
  need(symlink("one", "tree/link") == 0 && symlink("none", "tree/dangling") == 0, "symlink");
  walk(FTW_PHYS);
  walk(FTW_PHYS | FTW_DEPTH);
  walk(0);
  need(chmod("tree/a/b", 0) == 0, "chmod");
  walk(FTW_PHYS);
  need(chmod("tree/a/b", 0755) == 0, "chmod");
  SHOW(nftw("tree", stop, 5, FTW_PHYS));
  SHOW(nftw("none", visit, 5, FTW_PHYS) != 0);
  return 0;
}
