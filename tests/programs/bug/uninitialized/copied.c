// A field that was never written, in a copy of the struct: the finding names the original.
//@ args: --check uninitialized
#include <stdlib.h>
#include <string.h>

static volatile int yes;

struct pair { char tag; int a, b; };

int main(void) {
  volatile struct pair original;
  struct pair *volatile copy = malloc(sizeof *copy);
  original.tag = 1;
  original.a = 2;
  memcpy(copy, (void *)&original, sizeof *copy);
  struct pair third;
  memcpy(&third, copy, sizeof third);
  volatile struct pair *last = &third;
  if (last->b) // expect: bug uninitialized
    // expect: message contains "offset 8 of local variable 'original' of 12 bytes"
    yes = 1;
  free(copy);
  return 0;
}
