// A string without an end runs into a page that mprotect made inaccessible.
#include <string.h>
#include <sys/mman.h>

volatile size_t length;

int main(void) {
  char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED || mprotect(page + 4096, 4096, PROT_NONE))
    return 1;
  memset(page, 'x', 4096);
  length = strlen(page + 4000); // expect: bug out-of-bounds
  return 0;
}
