// A copy of a struct with padding is written to a pipe.
//@ args: --check uninitialized
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct message { char kind; int length; };

int main(void) {
  int ends[2];
  struct message *copy = malloc(sizeof *copy);
  volatile struct message m;
  m.kind = 1;
  m.length = 2;
  memcpy(copy, (void *)&m, sizeof m);
  if (pipe(ends) || write(ends[1], copy, sizeof *copy) != sizeof *copy) // expect: bug information-leak
    return 1;
  free(copy);
  return 0;
}
