//@ native: yes
// fstatat starts at a directory, follows a last link or not, and takes a descriptor with an empty path.
#include "../check.h"

int main(void) {
  struct stat st;
  need(mkdir("dir", 0755) == 0 && symlink("file", "dir/link") == 0, "preparation");
  put("dir/file", "0123456789");
  int dir = OK(open("dir", O_RDONLY)), file = OK(open("dir/file", O_RDONLY));
  SHOW(fstatat(dir, "file", &st, 0));
  NUM(st.st_size);
  SHOW(fstatat(dir, "link", &st, 0));
  NUM(st.st_size);
  SHOW(fstatat(dir, "link", &st, AT_SYMLINK_NOFOLLOW));
  NUM(st.st_size);
  SHOW(fstatat(file, "", &st, AT_EMPTY_PATH));
  NUM(st.st_size);
  SHOW(fstatat(AT_FDCWD, "", &st, AT_EMPTY_PATH));
  IS(S_ISDIR(st.st_mode));
  SHOW(fstatat(file, "", &st, 0));
  SHOW(fstatat(file, "x", &st, 0));
  SHOW(fstatat(dir, "none", &st, 0));
  SHOW(fstatat(minus_one, "file", &st, 0));
  SHOW(fstatat(minus_one, "/dev/null", &st, 0));
  SHOW(fstatat(dir, "file", &st, 1 << 30));
  return close(dir) | close(file);
}
