/* Opening a file without a mode: fine unless the file may have to be made. */
#include "../checked.h"
#include <fcntl.h>

static int plain(int flags) {
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)
    __chk_fail();
  return flags;
}
int __open_2(const char *path, int flags) { return open(path, plain(flags)); }
int __open64_2(const char *path, int flags) { return open(path, plain(flags)); }
int __openat_2(int fd, const char *path, int flags) { return openat(fd, path, plain(flags)); }
int __openat64_2(int fd, const char *path, int flags) { return openat(fd, path, plain(flags)); }
