// A struct is compared with its own copy, padding and all, and with others up to the padding.
//@ args: --check uninitialized
//@ native: yes
#include <string.h>

static volatile int yes;

struct message { char kind; int length; };

int main(void) {
  volatile struct message a, b;
  a.kind = b.kind = 1;
  a.length = b.length = 2;
  if (memcmp((void *)&a, (void *)&b, 1))
    yes = 1;
  struct message copy;
  memcpy(&copy, (void *)&a, sizeof copy);
  if (memcmp(&copy, (void *)&a, sizeof copy))
    yes = 2;
  return 0;
}
