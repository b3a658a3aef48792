// Formatting writes more characters than the buffer has.
#include <stdio.h>
#include <stdlib.h>

volatile int n = 1234567;

int main(void) {
  char *volatile p = malloc(6);
  sprintf(p, "n=%d", n); // expect: bug out-of-bounds
  free(p);
  return 0;
}
