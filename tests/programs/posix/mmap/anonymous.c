//@ native: yes
// Anonymous memory is zero, page aligned, and apart from other mappings.
#include "../check.h"
#include <sys/mman.h>

int main(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *a = mmap(0, 3 * page + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char *b = mmap(0, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  IS(a != MAP_FAILED && b != MAP_FAILED);
  IS((unsigned long)a % page == 0 && (unsigned long)b % page == 0);
  unsigned long sum = 0;
  for (size_t i = 0; i < 4 * page; i++)
    sum += a[i];
  NUM(sum);
  memset(a, 1, 4 * page);
  for (size_t i = 0; i < page; i++)
    sum += b[i];
  NUM(sum);
  b[page - 1] = 7;
  NUM(a[4 * page - 1] + b[page - 1]);
  // The length counts in whole pages.
  SHOW(munmap(a, 3 * page + 1));
  SHOW(munmap(b, 1));
  a = mmap(0, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  NUM(a[0] + a[page - 1]);
  SHOW(munmap(a, page));
  return 0;
}
