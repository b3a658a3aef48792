//@ paths: 2
//@ paths[O0]: 3
// A result that is only compared has all its cases on one path, also where a variable holds it (`&&` is a
// fork of its own at -O0).
#include <klee/klee.h>
#include <string.h>

char s[9], line[9];
volatile int late, early;

int main(void) {
  klee_make_symbolic(s, 8, "s");
  klee_make_symbolic(line, 8, "line");
  size_t length = strlen(s);
  size_t least = length + 1;
  klee_assume(least > 3);
  char *end = memchr(line, '\n', 8);
  long at = end - line;
  if (end != 0 && at > 4)
    late = 1;
  else
    early = 1;
  return 0;
}
