//@ native: yes
// A hard link is another name of the same file; directories and existing names are refused.
#include "../check.h"

static long links(const char *path) {
  struct stat st;
  return stat(path, &st) ? -1 : (long)st.st_nlink;
}

int main(void) {
  be_ordinary_user();
  struct stat a, b;
  put("file", "content");
  SHOW(link("file", "second"));
  NUM(links("file"));
  need(stat("file", &a) == 0 && stat("second", &b) == 0, "stat");
  IS(a.st_ino == b.st_ino && a.st_dev == b.st_dev);
  put("second", "changed");
  cat("file");
  SHOW(unlink("file"));
  NUM(links("second"));
  cat("second");
  SHOW(link("none", "third"));
  SHOW(link("second", "second"));
  need(mkdir("dir", 0755) == 0 && mkdir("locked", 0500) == 0, "mkdir");
  SHOW(link("dir", "third"));
  SHOW(link("second", "dir"));
  SHOW(link("second", "none/third"));
  SHOW(link("second", "second/third"));
  SHOW(link("second", "third/"));
  SHOW(link("second", "dir/third"));
  SHOW(link("second", "locked/third"));
  SHOW(link("", "third"));
  SHOW(link("second", ""));
  SHOW(link(unmapped, "third"));
  // The link itself is linked, not what it leads to.
  need(symlink("second", "soft") == 0, "symlink");
  SHOW(link("soft", "soft2"));
  SHOW(lstat("soft2", &a));
  IS(S_ISLNK(a.st_mode));
  SHOW(linkat(AT_FDCWD, "soft", AT_FDCWD, "hard", AT_SYMLINK_FOLLOW));
  SHOW(lstat("hard", &a));
  IS(S_ISREG(a.st_mode));
  NUM(links("second"));
  int dir = OK(open("dir", O_RDONLY));
  SHOW(linkat(dir, "third", dir, "fourth", 0));
  SHOW(linkat(dir, "third", AT_FDCWD, "fifth", 99));
  SHOW(linkat(minus_one, "third", dir, "sixth", 0));
  SHOW(linkat(dir, "", dir, "sixth", 0));
  NUM(links("second"));
  return close(dir);
}
