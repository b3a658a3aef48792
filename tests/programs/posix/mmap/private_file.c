//@ native: yes
// A private mapping shows the file, zeros after its end, and keeps what is written to itself.
#include "../check.h"
#include <sys/mman.h>

int main(void) {
  put("file", "0123456789");
  int fd = OK(open("file", O_RDONLY));
  char *p = mmap(0, 10, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  char *q = mmap(0, 10, PROT_READ, MAP_PRIVATE, fd, 0);
  IS(p != MAP_FAILED && q != MAP_FAILED);
  SHOW(close(fd));
  bytes("p", p, 12);
  memcpy(p, "abc", 3);
  p[11] = 'Z';
  bytes("p", p, 12);
  bytes("q", q, 12);
  cat("file");
  SHOW(munmap(p, 10));
  SHOW(unlink("file"));
  bytes("q", q, 10);
  SHOW(munmap(q, 10));
  return 0;
}
