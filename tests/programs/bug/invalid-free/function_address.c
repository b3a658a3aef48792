// Freeing the address of a function.
#include <stdlib.h>

void *volatile p = (void *)abs;

int main(void) {
  free(p); // expect: bug invalid-free
  return 0;
}
