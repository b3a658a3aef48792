//@ native: yes
// mkdir makes a directory with the mode less the umask; each of its errors.
#include "../check.h"

static char name[300];

int main(void) {
  be_ordinary_user();
  struct stat st;
  umask(027);
  SHOW(mkdir("dir", 0777));
  SHOW(stat("dir", &st));
  printf("%o\n", (unsigned)st.st_mode);
  SHOW(mkdir("dir/sub/", 01755));
  SHOW(stat("dir/sub", &st));
  printf("%o\n", (unsigned)st.st_mode);
  SHOW(mkdir("dir", 0777));
  SHOW(mkdir(".", 0777));
  SHOW(mkdir("/", 0777));
  SHOW(mkdir("", 0777));
  SHOW(mkdir("none/dir", 0777));
  put("file", "x");
  SHOW(mkdir("file", 0777));
  SHOW(mkdir("file/dir", 0777));
  need(symlink("nowhere", "link") == 0, "symlink");
  SHOW(mkdir("link", 0777));
  SHOW(chmod("dir/sub", 0500));
  SHOW(mkdir("dir/sub/x", 0777));
  SHOW(chmod("dir", 0600));
  SHOW(mkdir("dir/x", 0777));
  SHOW(chmod("dir", 0700));
  memset(name, 'd', 256);
  SHOW(mkdir(name, 0777));
  name[255] = 0;
  SHOW(mkdir(name, 0777));
  SHOW(mkdir(unmapped, 0777));
  int dir = OK(open("dir", O_RDONLY)), file = OK(open("file", O_RDONLY));
  SHOW(mkdirat(dir, "at", 0700));
  SHOW(access("dir/at", F_OK));
  SHOW(mkdirat(dir, "at", 0700));
  SHOW(mkdirat(file, "at", 0700));
  SHOW(mkdirat(minus_one, "at", 0700));
  return close(dir) | close(file);
}
