//@ native: no
//@ args: --max-reboots 1
//@ paths: 5
// What was written with O_SYNC is there after a crash: before the file is made, before the first write, after it, or
// after the second, or there is none.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char bytes[4];
  int file = open("log", O_RDWR | O_CREAT | O_SYNC, 0600);
  sync();
  long there = read(file, bytes, 4);
  if (there == 0) assert(write(file, "ab", 2) == 2);
  if (there <= 2) assert(pwrite(file, "cd", 2, 2) == 2);
  return 0;
}
