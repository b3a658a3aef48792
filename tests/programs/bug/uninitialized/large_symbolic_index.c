// The same with an array of which more bytes are missing than have terms of their own.
//@ args: --check uninitialized
//@ findings: 1
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static volatile int yes;

int main(void) {
  char *volatile text = malloc(5000);
  memset(text, 'a', 2000);
  unsigned at = klee_range(0, 2100, "at");
  volatile char *bytes = text;
  if (bytes[at] == 'b') // expect: bug uninitialized
    yes = 1;
  free(text);
  return 0;
}
