// memcpy reads more than the source holds.
#include <string.h>

char small[8], large[64];
volatile size_t n = 9;

int main(void) {
  memcpy(large, small, n); // expect: bug out-of-bounds
  return large[0];
}
