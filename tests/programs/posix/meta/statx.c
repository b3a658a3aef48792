//@ native: yes
// statx gives the fields that its mask asks for, and says which.
#include "../check.h"
#include <sys/syscall.h>
#include <stdint.h>

struct statx_result {
  uint32_t mask, blocksize;
  uint64_t attributes;
  uint32_t links, uid, gid;
  uint16_t mode, pad;
  uint64_t inode, size, blocks, rest[25];
};

static int xstat(int fd, const char *path, unsigned flags, unsigned mask, struct statx_result *to) {
  return (int)syscall(SYS_statx, fd, path, flags, mask, to);
}

int main(void) {
  struct statx_result x;
  struct stat st;
  put("file", "0123456789");
  need(symlink("file", "link") == 0 && stat("file", &st) == 0, "preparation");
  IS(sizeof x == 256);
  SHOW(xstat(AT_FDCWD, "file", 0, 0x7ff, &x));
  IS((x.mask & 0x7ff) == 0x7ff);
  printf("mode %o, links %u, size %lu\n", x.mode, x.links, (unsigned long)x.size);
  IS(x.inode == st.st_ino && x.uid == st.st_uid);
  SHOW(xstat(AT_FDCWD, "link", AT_SYMLINK_NOFOLLOW, 0x7ff, &x));
  printf("mode %o\n", x.mode);
  int fd = OK(open("file", O_RDONLY));
  SHOW(xstat(fd, "", AT_EMPTY_PATH, 0x200, &x));
  printf("size %lu\n", (unsigned long)x.size);
  SHOW(xstat(fd, "", 0, 0x200, &x));
  SHOW(xstat(AT_FDCWD, "none", 0, 0x7ff, &x));
  SHOW(xstat(AT_FDCWD, "file/x", 0, 0x7ff, &x));
  SHOW(xstat(minus_one, "file", 0, 0x7ff, &x));
  SHOW(xstat(AT_FDCWD, "file", 1 << 30, 0x7ff, &x));
  SHOW(xstat(AT_FDCWD, "file", 0, 0x80000000U, &x));
  SHOW(xstat(AT_FDCWD, "file", 0, 0x7ff, unmapped));
  return close(fd);
}
