/* Checked input from descriptors. */
#include "../checked.h"
#include <unistd.h>

ssize_t __read_chk(int fd, void *to, size_t n, size_t size) {
  fits(n, size);
  return read(fd, to, n);
}
ssize_t __pread_chk(int fd, void *to, size_t n, off_t offset, size_t size) {
  fits(n, size);
  return pread(fd, to, n, offset);
}
ssize_t __pread64_chk(int fd, void *to, size_t n, off_t offset, size_t size) {
  return __pread_chk(fd, to, n, offset, size);
}
ssize_t __readlink_chk(const char *path, char *to, size_t n, size_t size) {
  fits(n, size);
  return readlink(path, to, n);
}
ssize_t __readlinkat_chk(int fd, const char *path, char *to, size_t n, size_t size) {
  fits(n, size);
  return readlinkat(fd, path, to, n);
}
