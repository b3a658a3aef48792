/* Reads on until a record is complete. */
#include <assert.h>
#include <unistd.h>

int main(void) {
  int ends[2], done = 0;
  char record[4];
  assert(pipe(ends) == 0 && write(ends[1], "abcd", 4) == 4);
  while (done < 4) done += read(ends[0], record + done, 4 - done);
  assert(record[3] == 'd');
  return 0;
}
