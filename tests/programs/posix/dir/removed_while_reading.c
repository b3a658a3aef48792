//@ native: yes
// Entries can be removed while their directory is read: each is seen once, and the directory ends empty.
#include "../check.h"
#include <dirent.h>

int main(void) {
  char name[16];
  need(mkdir("dir", 0755) == 0, "mkdir");
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "dir/f%02d", i);
    put(name, "x");
  }
  DIR *dir = opendir("dir");
  int n = 0;
  for (struct dirent *e; (e = readdir(dir));)
    if (e->d_name[0] == 'f')
      n += unlinkat(dirfd(dir), e->d_name, 0) == 0;
  NUM(n);
  closedir(dir);
  SHOW(rmdir("dir"));
  return 0;
}
