//@ native: yes
// mremap shrinks in place, grows with the content kept and zeros after it, and checks its arguments.
#include "../check.h"
#include <sys/mman.h>

int main(void) {
  const int rw = PROT_READ | PROT_WRITE;
  char *p = mmap(0, 2 * 4096, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  strcpy(p, "first");
  strcpy(p + 4096, "second");
  char *q = mremap(p, 2 * 4096, 64 * 4096, MREMAP_MAYMOVE);
  IS(q != MAP_FAILED);
  printf("%s %s %d\n", q, q + 4096, q[63 * 4096]);
  q[63 * 4096] = 1;
  char *r = mremap(q, 64 * 4096, 4096, 0);
  IS(r == q);
  puts(r);
  IS(mremap(r + 1, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL);
  IS(mremap(r, 4096, 0, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL);
  IS(mremap(r, 4096, 8192, 64) == MAP_FAILED && errno == EINVAL);
  IS(mremap((void *)4096, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED && errno == EFAULT);
  SHOW(munmap(r, 4096));
  // A mapping of a file grows over more of it.
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  need(ftruncate(fd, 8192) == 0 && pwrite(fd, "tail", 4, 4096) == 4, "preparation");
  p = mmap(0, 4096, rw, MAP_SHARED, fd, 0);
  p = mremap(p, 4096, 8192, MREMAP_MAYMOVE);
  puts(p + 4096);
  SHOW(munmap(p, 8192));
  return close(fd);
}
