//@ native: yes
// Going through a directory needs its x bit, listing it the r bit, changing it both w and x.
#include "../check.h"
#include <dirent.h>

static int list(const char *path) {
  int n = 0;
  DIR *dir = opendir(path);
  if (!dir)
    return -1;
  while (readdir(dir))
    n++;
  closedir(dir);
  return n;
}

int main(void) {
  be_ordinary_user();
  struct stat st;
  need(mkdir("dir", 0700) == 0, "mkdir");
  put("dir/file", "x");
  static const int modes[] = {0700, 0600, 0500, 0400, 0300, 0200, 0100, 0};
  for (int i = 0; i < 8; i++) {
    need(chmod("dir", (mode_t)modes[i]) == 0, "chmod");
    printf("mode %o\n", modes[i]);
    SHOW(list("dir"));
    SHOW(stat("dir/file", &st));
    SHOW(stat("dir/none", &st));
    SHOW(stat("dir/..", &st));
    OK(creat("dir/new", 0600));
    SHOW(unlink("dir/new"));
  }
  return chmod("dir", 0700);
}
