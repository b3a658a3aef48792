// memcmp has all of its bytes, even where the first differ; strncmp stops at the difference.
#include <stdlib.h>
#include <string.h>

volatile size_t n = 5;
volatile int result;

int main(void) {
  char *volatile p = malloc(4);
  memcpy(p, "abcd", 4);
  result = strncmp(p, "xbcde", n);
  result = memcmp(p, "xbcde", n); // expect: bug out-of-bounds
  // expect: message contains "1 of them past the end"
  return 0;
}
