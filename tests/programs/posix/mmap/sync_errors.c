//@ native: yes
// msync takes whole mapped pages and one way of waiting.
#include "../check.h"
#include <sys/mman.h>

int main(void) {
  put("file", "0123456789");
  int fd = OK(open("file", O_RDWR));
  char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  p[0] = 'x';
  SHOW(msync(p, 4096, MS_ASYNC));
  SHOW(msync(p, 10, MS_SYNC));
  SHOW(msync(p, 8192, MS_SYNC | MS_INVALIDATE));
  SHOW(msync(p, 0, MS_SYNC));
  SHOW(msync(p + 1, 10, MS_SYNC));
  SHOW(msync(p, 10, MS_SYNC | MS_ASYNC));
  SHOW(msync(p, 10, 1 << 10));
  SHOW(munmap(p + 4096, 4096));
  SHOW(msync(p, 8192, MS_SYNC));
  SHOW(munmap(p, 4096));
  SHOW(msync(p, 4096, MS_SYNC));
  cat("file");
  return close(fd);
}
