// memcpy out of a freed block.
#include <stdlib.h>
#include <string.h>

char out[8];

int main(void) {
  char *volatile p = calloc(8, 1);
  free(p);
  memcpy(out, p, sizeof out); // expect: bug use-after-free
  return out[0];
}
