//@ native: no
//@ args: --sym-args 0 2 1
//@ paths: 3
// Between none and two symbolic arguments: one path for each number.
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc >= 1 && argc <= 3);
  assert(argv[argc] == 0);
  return argc;
}
