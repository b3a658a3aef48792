// Freeing the address of a local variable.
#include <stdlib.h>

int main(void) {
  int local = 1;
  void *volatile p = &local;
  free(p); // expect: bug invalid-free
  return local;
}
