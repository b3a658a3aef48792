// malloc(0) has no byte to write to.
#include <stdlib.h>

volatile size_t nothing = 0;

int main(void) {
  char *volatile p = malloc(nothing);
  if (p)
    *p = 1; // expect: bug out-of-bounds
  free(p);
  return 0;
}
