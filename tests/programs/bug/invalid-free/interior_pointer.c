// Freeing an address inside a block instead of its start.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(16);
  p++;
  free(p); // expect: bug invalid-free
  // expect: message contains "at offset 1 of a heap object of 16 bytes"
  return 0;
}
