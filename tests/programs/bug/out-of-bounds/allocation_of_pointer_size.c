// Memory for the pointer instead of the struct: a member lies outside.
#include <stdlib.h>

struct record { long id; char name[24]; long tail; };

int main(void) {
  struct record *volatile r = malloc(sizeof r);
  r->id = 1;
  r->tail = 2; // expect: bug out-of-bounds
  free(r);
  return 0;
}
