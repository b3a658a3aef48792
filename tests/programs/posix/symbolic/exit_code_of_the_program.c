//@ native: no
//@ paths: 2
// The program exits with any code: that alone makes no paths, and each test leads to its own code.
#include <klee/klee.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  unsigned char code;
  (void)argc, (void)argv;
  klee_make_symbolic(&code, sizeof code, "code");
  if (code > 200)
    exit(code);
  return code / 2 + 3;
}
