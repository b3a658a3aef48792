/* Expects a record of a pipe to be read at once. */
#include <assert.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char record[4];
  assert(pipe(ends) == 0 && write(ends[1], "abcd", 4) == 4);
  assert(read(ends[0], record, 4) == 4); // mark: guilty
  return 0;
}
