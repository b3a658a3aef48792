// Writing into the middle of a freed block.
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(100);
  free(p);
  p[50] = 1; // expect: bug use-after-free
  // expect: message contains "100"
  return 0;
}
