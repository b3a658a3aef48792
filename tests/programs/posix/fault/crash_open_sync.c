//@ native: no
//@ args: --max-reboots 1 --torn-files 1
//@ paths: 7
// What was written with O_SYNC is there once the call has returned; a crash before that may tear it. A crash leaves no
// file, an empty one, or one to four bytes, or there is none.
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
  // Nothing is left to lose.
  if (there == 4) assert(bytes[0] == 'a' && bytes[3] == 'd');
  return 0;
}
