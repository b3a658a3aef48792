//@ native: yes
// The fields of stat for each kind of file, and that fstat and lstat agree with it.
#include "../check.h"
#include <sys/syscall.h>

static void show(const char *path) {
  struct stat st;
  if (lstat(path, &st)) {
    printf("%s: %s\n", path, errno_name(errno));
    return;
  }
  printf("%s: mode %o, links %s, size %ld, blocksize %d, own %d %d\n", path, (unsigned)st.st_mode,
         S_ISDIR(st.st_mode) ? "-"
         : st.st_nlink == 1  ? "1"
                             : "2",
         S_ISDIR(st.st_mode) ? -1 : (long)st.st_size, st.st_blksize >= 512, st.st_uid == geteuid(),
         st.st_gid == getegid());
}

int main(void) {
  struct stat a, b;
  umask(022);
  put("file", "0123456789");
  need(mkdir("dir", 0755) == 0 && symlink("file", "link") == 0 && mkfifo("fifo", 0640) == 0, "preparation");
  show("file"), show("dir"), show("link"), show("fifo"), show("none");
  SHOW(stat("link", &a));
  NUM(a.st_size);
  int fd = OK(open("file", O_RDONLY));
  SHOW(fstat(fd, &b));
  IS(a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_mtim.tv_sec == b.st_mtim.tv_sec);
  SHOW(lstat("link", &b));
  IS(a.st_ino == b.st_ino);
  IS(a.st_ino != 0);
  SHOW(fstat(0, &b));
  SHOW(stat("none", &a));
  SHOW(stat("", &a));
  SHOW(stat("file/x", &a));
  SHOW(fstat(minus_one, &a));
  SHOW(syscall(SYS_stat, "file", unmapped));
  SHOW(stat(unmapped, &a));
  SHOW(fstat(1, &b));
  IS(S_ISFIFO(b.st_mode));
  return close(fd);
}
