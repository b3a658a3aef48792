//@ native: yes
// _exit ends at once: what was written to the descriptor is there, what is in a buffer is not.
#include "../check.h"

static void never(void) { puts("never"); }

int main(void) {
  atexit(never);
  if (write(1, "written\n", 8) != 8)
    return 1;
  printf("lost");
  _exit(300);
}
