// An array of which memset sets only the first part.
//@ args: --check uninitialized
#include <stdlib.h>
#include <string.h>

static volatile int yes;

int main(void) {
  volatile int *counts = malloc(64);
  memset((void *)counts, 0, 64 / sizeof(int));
  int sum = 0;
  for (int i = 0; i < 16; i++)
    sum += counts[i];
  if (sum) // expect: bug uninitialized
    // expect: message contains "offset 16 of a heap object of 64 bytes"
    yes = 1;
  free((void *)counts);
  return 0;
}
