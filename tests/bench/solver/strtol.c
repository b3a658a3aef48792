/* Numbers out of symbolic text, with sign, base and range, and what is computed from them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "klee/klee.h"

int main(void) {
  char text[4] = "";
  klee_make_symbolic(text, 3, "text");
  char *end;
  errno = 0;
  long value = strtol(text, &end, 0);
  if (end == text || *end != '\0') {
    printf("no number\n");
    return 0;
  }
  if (value * 1000003 / 17 % 101 == 42)
    printf("lucky\n");
  else if (value * value - 61 * value == -900)
    printf("a root\n");
  else
    printf("a number\n");
  return 0;
}
