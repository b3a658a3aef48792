//@ native: yes
// The break grows by zero bytes and shrinks; a wish that cannot be met leaves it.
#include "../check.h"
#include <stdint.h>
#include <sys/syscall.h>

int main(void) {
  static char line[] = "starting\n";
  fputs(line, stdout);
  fflush(stdout);
  uintptr_t start = (uintptr_t)syscall(SYS_brk, 0);
  uintptr_t end = (uintptr_t)syscall(SYS_brk, start + 3 * 4096);
  int grown = end == start + 3 * 4096, zero = 1;
  unsigned char *p = (unsigned char *)start;
  for (int i = 0; i < 3 * 4096; i++)
    zero &= p[i] == 0;
  memset(p, 5, 3 * 4096);
  uintptr_t less = (uintptr_t)syscall(SYS_brk, start + 4096);
  int kept = p[0] == 5 && p[4095] == 5;
  uintptr_t refused = (uintptr_t)syscall(SYS_brk, 1);
  uintptr_t again = (uintptr_t)syscall(SYS_brk, start);
  IS(grown);
  IS(zero);
  IS(less == start + 4096);
  IS(kept);
  IS(refused == less);
  IS(again == start);
  IS(sbrk(0) != (void *)-1);
  return 0;
}
