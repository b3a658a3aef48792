// The bytes that realloc keeps.
//@ args: --check uninitialized
//@ native: yes
#include <stdlib.h>
#include <string.h>

static volatile int yes;

int main(void) {
  char *volatile p = malloc(4);
  memset(p, 'a', 4);
  p = realloc(p, 8);
  volatile char *bytes = p;
  if (bytes[3] == 'a')
    yes = 1;
  bytes[4] = 'b';
  p = realloc(p, 5);
  bytes = p;
  if (bytes[4] == 'b')
    yes = 2;
  free(p);
  return 0;
}
