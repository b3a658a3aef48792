// A text of three characters is the number 2.5.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  text[3] = 0;
  klee_assume((text[0] >= '0') & (text[0] <= '9'));
  klee_assume(text[1] == '.');
  klee_assume((text[2] >= '0') & (text[2] <= '9'));
  if (atof(text) == 2.5)
    abort(); // expect: bug abort
  return 0;
}
