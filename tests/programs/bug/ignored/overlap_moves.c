// A memcpy of ranges that overlap is a memmove, once that is ignored.
//@ opt: O0
//@ args: --ignore overlap
//@ paths: 0
//@ ignored: 1 0
#include <assert.h>
#include <string.h>

char text[8] = "abcdef";
volatile int by = 1;

int main(void) {
  memcpy(text + by, text, 6);
  assert(strcmp(text, "aabcdef") != 0); // expect: bug assert
  return 0;
}
