//@ native: yes
// A hole can be cut into a mapping and filled by another with MAP_FIXED; the rest keeps its content.
#include "../check.h"
#include <sys/mman.h>

int main(void) {
  const int rw = PROT_READ | PROT_WRITE;
  put("file", "from the file");
  char *p = mmap(0, 5 * 4096, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 5; i++)
    p[i * 4096] = (char)('a' + i);
  SHOW(munmap(p + 4096, 2 * 4096));
  printf("%c %c %c\n", p[0], p[3 * 4096], p[4 * 4096]);
  int fd = OK(open("file", O_RDONLY));
  char *q = mmap(p + 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
  IS(q == p + 4096);
  printf("%s\n", p + 4096);
  // MAP_FIXED replaces what is there, also in part.
  q = mmap(p + 3 * 4096, 4096, rw, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  IS(q == p + 3 * 4096);
  printf("%d %c\n", p[3 * 4096], p[4 * 4096]);
  q = mmap(p, 4096, rw, MAP_PRIVATE | MAP_ANONYMOUS | 0x100000, -1, 0);
  printf("%s\n", q == MAP_FAILED ? errno_name(errno) : "replaced");
  SHOW(munmap(p, 5 * 4096));
  return close(fd);
}
