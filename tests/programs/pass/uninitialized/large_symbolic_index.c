// The same where all places that are read were written.
//@ args: --check uninitialized
//@ native: yes
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

static volatile int yes;

int main(void) {
  char *volatile text = malloc(5000);
  memset(text, 'a', 2000);
  unsigned at = klee_range(0, 2000, "at");
  volatile char *bytes = text;
  if (bytes[at] == 'b')
    yes = 1;
  free(text);
  return 0;
}
