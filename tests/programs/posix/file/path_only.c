//@ native: yes
// An O_PATH descriptor names a file without opening it.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  char byte;
  struct stat st;
  put("file", "content");
  need(mkdir("dir", 0755) == 0 && symlink("file", "link") == 0, "preparation");
  put("dir/inside", "deep");
  need(chmod("file", 0) == 0, "chmod");
  int fd = OK(open("file", O_PATH));
  SHOW(read(fd, &byte, 1));
  SHOW(write(fd, "x", 1));
  SHOW(ftruncate(fd, 0));
  SHOW(lseek(fd, 0, SEEK_SET));
  SHOW(fsync(fd));
  SHOW(fstat(fd, &st));
  NUM(st.st_size);
  SHOW(fcntl(fd, F_GETFL) & O_PATH ? 1 : 0);
  SHOW(fcntl(fd, F_GETFD));
  int dir = OK(open("dir", O_PATH | O_DIRECTORY | O_CLOEXEC));
  SHOW(fcntl(dir, F_GETFD));
  int inside = OK(openat(dir, "inside", O_RDONLY));
  SHOW(read(inside, &byte, 1));
  SHOW(fstatat(dir, "inside", &st, 0));
  OK(openat(fd, "inside", O_RDONLY));
  int link = OK(open("link", O_PATH | O_NOFOLLOW));
  SHOW(fstat(link, &st));
  IS(S_ISLNK(st.st_mode));
  int copy = OK(dup(link));
  SHOW(fchdir(dir));
  SHOW(access("inside", F_OK));
  OK(open("none", O_PATH));
  OK(open("inside", O_PATH | O_DIRECTORY));
  return close(fd) | close(dir) | close(inside) | close(link) | close(copy);
}
