/* Makes a table twice as large, or does with what it has. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  size_t size = 600;
  volatile char *table = malloc(size);
  assert(table);
  char *larger = realloc((void *)table, 2 * size);
  if (larger) {
    table = larger;
    size *= 2;
  }
  table[size - 1] = 1;
  assert(size == 600);
  free((void *)table);
  return 0;
}
