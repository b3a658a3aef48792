// A copy of a struct with padding and an unwritten field, of which only the written fields are looked at.
//@ args: --check uninitialized
//@ native: yes
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
  if (last->a && last->tag)
    yes = 1;
  if (memcmp(copy, &third, sizeof third) == 0)
    yes = 2;
  free(copy);
  return 0;
}
