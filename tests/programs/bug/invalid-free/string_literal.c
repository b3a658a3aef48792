// Freeing a string literal.
#include <stdlib.h>

const char *volatile name = "constant";

int main(void) {
  free((void *)name); // expect: bug invalid-free
  return 0;
}
