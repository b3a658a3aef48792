/* Uses memory without a look at whether there is any. */
#include <stdlib.h>

int main(void) {
  volatile char *place = malloc(4);
  place[0] = 1; // mark: guilty
  return 0;
}
