//@ native: yes
// exit() from a nested call runs the atexit functions, last registered first, then destructors.
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }
static void late(void) { puts("late"); }
static void second(void) {
  puts("second");
  atexit(late);
}
__attribute__((destructor)) static void destructor(void) { puts("destructor"); }

__attribute__((noinline)) void leave(int code) {
  if (code >= 0)
    exit(code);
}

volatile int code = 0;

int main(void) {
  atexit(first);
  atexit(second);
  leave(code);
  puts("not reached");
  return 1;
}
