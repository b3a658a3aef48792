//@ native: yes
// Without privilege chown can change nothing but what is the same; -1 leaves an owner alone.
#include "../check.h"

int main(void) {
  be_ordinary_user();
  struct stat st;
  uid_t uid = geteuid();
  gid_t gid = getegid();
  put("file", "x");
  need(symlink("file", "link") == 0 && symlink("none", "dangling") == 0, "symlink");
  SHOW(chown("file", uid, gid));
  SHOW(chown("file", (uid_t)-1, (gid_t)-1));
  SHOW(chown("file", (uid_t)-1, gid));
  SHOW(chown("file", 0, (gid_t)-1));
  SHOW(chown("file", uid + 1, gid));
  SHOW(chown("file", (uid_t)-1, 54321));
  SHOW(chown("/", (uid_t)-1, gid));
  SHOW(chown("none", uid, gid));
  SHOW(chown("", uid, gid));
  SHOW(chown("file/x", uid, gid));
  SHOW(chown("dangling", uid, gid));
  SHOW(lchown("dangling", uid, gid));
  SHOW(chown(unmapped, uid, gid));
  int fd = OK(open("file", O_RDONLY));
  SHOW(fchown(fd, uid, gid));
  SHOW(fchown(fd, 0, gid));
  SHOW(fchown(minus_one, uid, gid));
  SHOW(fchownat(AT_FDCWD, "link", uid, gid, AT_SYMLINK_NOFOLLOW));
  SHOW(fchownat(fd, "", uid, gid, AT_EMPTY_PATH));
  SHOW(fchownat(AT_FDCWD, "link", uid, gid, 1 << 30));
  // A change of owner takes the set-id bits away.
  SHOW(chmod("file", 06755));
  SHOW(chown("file", uid, gid));
  SHOW(stat("file", &st));
  printf("%o\n", (unsigned)st.st_mode);
  return close(fd);
}
