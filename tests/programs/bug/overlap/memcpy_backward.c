// memcpy to a place a few bytes earlier in the same block.
#include <stdlib.h>
#include <string.h>

volatile size_t n = 8;

int main(void) {
  char *volatile p = calloc(1, 32);
  memcpy(p, p + 7, n); // expect: bug overlap
  free(p);
  return 0;
}
