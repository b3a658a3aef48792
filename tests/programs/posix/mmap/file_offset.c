//@ native: yes
// A mapping starts at any page of the file.
#include "../check.h"
#include <sys/mman.h>

int main(void) {
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  need(ftruncate(fd, 5 * 4096) == 0, "ftruncate");
  for (int i = 0; i < 5; i++) {
    char mark[8];
    snprintf(mark, sizeof mark, "page %d", i);
    need(pwrite(fd, mark, 6, i * 4096) == 6, "pwrite");
  }
  char *p = mmap(0, 2 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 3 * 4096);
  IS(p != MAP_FAILED);
  printf("%s, %s\n", p, p + 4096);
  strcpy(p + 4096, "changed");
  char *whole = mmap(0, 5 * 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  for (int i = 0; i < 5; i++)
    puts(whole + i * 4096);
  SHOW(munmap(p, 2 * 4096));
  SHOW(munmap(whole, 5 * 4096));
  return close(fd);
}
