//@ native: yes
// statfs and statvfs describe a file system with plausible figures, and fail as stat does.
#include "../check.h"
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

int main(void) {
  struct statfs s;
  struct statvfs v;
  put("file", "x");
  SHOW(statfs(".", &s));
  IS(s.f_bsize >= 512 && s.f_blocks > 0 && s.f_bfree <= s.f_blocks && s.f_bavail <= s.f_bfree);
  IS(s.f_namelen == 255);
  SHOW(statvfs("file", &v));
  IS(v.f_bsize == (unsigned long)s.f_bsize && v.f_namemax == 255 && v.f_frsize > 0);
  IS((v.f_flag & ST_RDONLY) == 0);
  int fd = OK(open("file", O_RDONLY));
  SHOW(fstatfs(fd, &s));
  SHOW(fstatvfs(fd, &v));
  SHOW(statfs("none", &s));
  SHOW(statfs("", &s));
  SHOW(statfs("file/x", &s));
  SHOW(syscall(SYS_statfs, ".", unmapped));
  SHOW(fstatfs(minus_one, &s));
  SHOW(statvfs("none", &v));
  SHOW(fstatvfs(minus_one, &v));
  return close(fd);
}
