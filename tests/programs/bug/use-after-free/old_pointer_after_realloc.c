// The old address is dead after realloc has grown the block.
#include <stdlib.h>

volatile int sink;

int main(void) {
  char *volatile old = malloc(8);
  old[0] = 'a';
  char *volatile grown = realloc(old, 4000);
  sink = grown[0];
  sink = old[0]; // expect: bug use-after-free
  free(grown);
  return 0;
}
