//@ paths: 1
// A symbolic tail may lack the terminator; on the other inputs the result is an expression.
#include <klee/klee.h>
#include <string.h>

char s[6] = "ab";
volatile int found;

int main(void) {
  klee_make_symbolic(s + 2, 4, "tail");
  found = strstr(s, "abc") != 0; // expect: bug out-of-bounds
  return 0;
}
