// A path name whose bytes were never written.
//@ args: --check uninitialized
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *volatile name = malloc(8);
  if (open(name, O_RDONLY) >= 0) // expect: bug uninitialized
    return 1;
  free(name);
  return 0;
}
