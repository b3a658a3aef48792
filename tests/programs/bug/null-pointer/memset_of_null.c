// memset through a null pointer with a length above zero.
#include <string.h>

char *volatile p;
volatile size_t n = 4;

int main(void) {
  memset(p, 0, n); // expect: bug null-pointer
  return 0;
}
