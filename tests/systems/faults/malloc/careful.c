/* Does with less where there is no memory. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  static char spare[4];
  for (int i = 0; i < 2; i++) {
    volatile char *place = malloc(4);
    if (!place) place = spare;
    place[0] = 1;
  }
  return 0;
}
