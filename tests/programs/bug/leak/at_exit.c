//@ args: --check leaks
// Leaks are checked when the path ends by exit(), too.
#include <stdlib.h>

__attribute__((noinline)) static void finish(void) { exit(0); }

char *volatile p;

int main(void) {
  p = calloc(4, 4); // expect: bug leak
  p = 0;
  finish();
}
