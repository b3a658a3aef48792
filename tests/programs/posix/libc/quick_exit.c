//@ native: yes
// quick_exit runs its own handlers only; _exit none, and flushes nothing.
#include "../check.h"

static void quick(void) {
  puts("quick");
  fflush(stdout);
}

static void slow(void) { puts("slow"); }

int main(void) {
  atexit(slow);
  at_quick_exit(quick);
  puts("main");
  quick_exit(9);
}
