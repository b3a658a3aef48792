//@ native: no
//@ args: --max-reboots 2 --torn-files 2
// A log that survives any two crashes: whole records only, each with its number.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int file = open("log", O_RDWR | O_CREAT | O_APPEND, 0600), folder = open(".", O_RDONLY);
  char records[16];
  int bytes = (int)pread(file, records, 16, 0), whole = bytes / 2 * 2;
  printf("%d bytes\n", bytes);
  if (bytes != whole) assert(ftruncate(file, whole) == 0);
  for (int i = 0; i < whole; i++) assert(records[i] == 'a' + i / 2);
  for (int i = whole / 2; i < 2; i++) {
    char record[2] = {(char)('a' + i), (char)('a' + i)};
    assert(write(file, record, 2) == 2);
    if (i == 0) assert(fsync(folder) == 0);
    assert(fdatasync(file) == 0);
  }
  return 0;
}
