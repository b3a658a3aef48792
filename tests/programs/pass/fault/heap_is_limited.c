// The heap holds 1000 bytes; what is freed can be used again.
//@ args: --max-heap 1000
//@ paths: 1
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *first = malloc(600);
  assert(first && !malloc(500));
  char *second = malloc(400);
  assert(second && !malloc(1));
  free(second);
  first = realloc(first, 1000);
  assert(first && !realloc(first, 1001));
  free(first);
  return 0;
}
