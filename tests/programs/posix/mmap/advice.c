//@ native: yes
// madvise: MADV_DONTNEED throws anonymous content away and takes a private mapping back to its file.
#include "../check.h"
#include <sys/mman.h>

int main(void) {
  const int rw = PROT_READ | PROT_WRITE;
  put("file", "0123456789");
  int fd = OK(open("file", O_RDONLY));
  char *p = mmap(0, 8192, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *q = mmap(0, 4096, rw, MAP_PRIVATE, fd, 0);
  strcpy(p, "one"), strcpy(p + 4096, "two");
  memcpy(q, "abc", 3);
  SHOW(madvise(p, 4096, MADV_WILLNEED));
  SHOW(madvise(p, 8192, MADV_SEQUENTIAL));
  puts(p);
  SHOW(madvise(p, 4096, MADV_DONTNEED));
  printf("[%s] [%s]\n", p, p + 4096);
  SHOW(madvise(q, 4096, MADV_DONTNEED));
  bytes("q", q, 10);
  SHOW(madvise(p, 0, MADV_NORMAL));
  SHOW(madvise(p + 1, 10, MADV_NORMAL));
  SHOW(madvise(p, 4096, 9999));
  SHOW(munmap(p + 4096, 4096));
  SHOW(madvise(p, 8192, MADV_WILLNEED));
  SHOW(munmap(p, 4096));
  SHOW(munmap(q, 4096));
  return close(fd);
}
