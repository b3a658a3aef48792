// An array of which memset sets the part that is summed up.
//@ args: --check uninitialized
//@ native: yes
#include <stdlib.h>
#include <string.h>

static volatile int yes;

int main(void) {
  volatile int *counts = malloc(64);
  memset((void *)counts, 0, 64 / sizeof(int));
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += counts[i];
  if (sum)
    yes = 1;
  free((void *)counts);
  return 0;
}
