// The bytes that realloc adds.
//@ args: --check uninitialized
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
  if (bytes[4] == 'a') // expect: bug uninitialized
    // expect: message contains "offset 4 of a heap object of 8 bytes"
    yes = 2;
  free(p);
  return 0;
}
