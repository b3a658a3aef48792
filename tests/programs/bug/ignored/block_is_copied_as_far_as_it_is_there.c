// A copy of more than there is copies what is there; the rest may be anything, or is left out.
//@ opt: O0
//@ args: --ignore out-of-bounds
//@ paths: 1
//@ ignored: 3 0
#include <assert.h>
#include <string.h>

char from[4] = {1, 2, 3, 4}, to[6], small[2], filled[2];
volatile int more = 6;

int main(void) {
  memcpy(to, from, more);
  memcpy(small, from, 4 + more % 2);
  memset(filled, 9, more);
  assert(to[0] == 1 && to[3] == 4 && small[1] == 2 && filled[1] == 9);
  assert(to[4] != 5); // expect: bug assert
  return 0;
}
