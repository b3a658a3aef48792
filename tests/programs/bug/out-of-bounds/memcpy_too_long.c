// memcpy writes more than the destination holds.
#include <stdlib.h>
#include <string.h>

char source[32];
volatile size_t n = 24;

int main(void) {
  char *volatile p = malloc(16);
  memcpy(p, source, n); // expect: bug out-of-bounds
  free(p);
  return 0;
}
