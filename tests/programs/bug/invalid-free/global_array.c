// Freeing a global array.
#include <stdlib.h>

char buffer[16];
void *volatile p = buffer;

int main(void) {
  free(p); // expect: bug invalid-free
  return 0;
}
