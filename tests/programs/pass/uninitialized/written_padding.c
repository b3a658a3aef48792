// The members of a struct with padding are written to a pipe one by one.
//@ args: --check uninitialized
//@ native: yes
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct message { char kind; int length; };

int main(void) {
  int ends[2];
  struct message m;
  m.kind = 1;
  m.length = 2;
  if (pipe(ends) || write(ends[1], &m.kind, 1) != 1)
    return 1;
  if (write(ends[1], &m.length, sizeof m.length) != sizeof m.length)
    return 2;
  return 0;
}
