// A path name in a buffer that is longer.
//@ args: --check uninitialized
//@ native: yes
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *volatile name = malloc(8);
  strcpy(name, "/no");
  if (open(name, O_RDONLY) >= 0)
    return 1;
  free(name);
  return 0;
}
