// Structs are compared with their padding.
//@ args: --check uninitialized
#include <string.h>

static volatile int yes;

struct message { char kind; int length; };

int main(void) {
  volatile struct message a, b;
  a.kind = b.kind = 1;
  a.length = b.length = 2;
  if (memcmp((void *)&a, (void *)&b, sizeof a)) // expect: bug uninitialized
    yes = 1;
  return 0;
}
