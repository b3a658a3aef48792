/* Makes a table twice as large, and does not look whether there was room. */
#include <stdlib.h>

int main(void) {
  volatile char *table = malloc(600);
  table[0] = 1;
  table = realloc((void *)table, 1200);
  table[1199] = 1; // mark: guilty
  return 0;
}
