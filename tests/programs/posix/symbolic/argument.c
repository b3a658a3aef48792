//@ native: no
//@ args: --sym-arg 2
//@ paths: 3
// A symbolic argument is a text of at most its length.
#include <assert.h>
#include <string.h>

volatile int flag, other;

int main(int argc, char **argv) {
  assert(argc == 2 && argv[2] == 0);
  assert(argv[1][2] == 0);
  if (argv[1][0] == '-') {
    if (argv[1][1] == 'v')
      flag++;
    else
      other += 3;
  }
  return 0;
}
