//@ native: no
//@ args: --sym-arg 3
//@ paths: 2
// strcmp with a symbolic argument is one question, not one for each byte.
#include <assert.h>
#include <string.h>

volatile int hits;

int main(int argc, char **argv) {
  assert(argc == 2);
  if (strcmp(argv[1], "abc") == 0) {
    assert(argv[1][1] == 'b');
    hits++;
  }
  return 0;
}
