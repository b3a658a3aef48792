//@ native: yes
// fdopendir reads through a descriptor that it then owns; dirfd gives it back.
#include "../check.h"
#include <dirent.h>

int main(void) {
  struct stat st;
  need(mkdir("dir", 0755) == 0, "mkdir");
  put("dir/one", "x");
  int fd = OK(open("dir", O_RDONLY | O_DIRECTORY)), file = OK(open("dir/one", O_RDWR));
  DIR *dir = PTR(fdopendir(fd));
  IS(dirfd(dir) == fd);
  int n = 0;
  for (struct dirent *e; (e = readdir(dir)); n++)
    if (e->d_name[0] == 'o')
      SHOW(fstatat(dirfd(dir), e->d_name, &st, 0));
  NUM(n);
  SHOW(closedir(dir));
  SHOW(close(fd));
  PTR(fdopendir(file));
  PTR(fdopendir(minus_one));
  return close(file);
}
