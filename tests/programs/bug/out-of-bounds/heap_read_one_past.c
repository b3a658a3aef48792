// Reading the byte after a heap block.
#include <stdlib.h>

volatile int sink;

int main(void) {
  char *volatile p = calloc(1, 16);
  sink = p[16]; // expect: bug out-of-bounds
  // expect: message contains "16"
  free(p);
  return 0;
}
