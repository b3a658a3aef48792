//@ native: no
//@ args: --max-reboots 1
//@ paths: 8
// Symbolic bytes on the disk are the same bytes after a reboot, with all that was assumed of them.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "klee/klee.h"

int main(void) {
  int file = open("byte", O_RDWR | O_CREAT, 0600);
  unsigned char bytes[2];
  sync();
  if (read(file, bytes, 2) == 2) {
    // The run before has assumed that it is large.
    assert(bytes[0] == bytes[1] && bytes[0] > 9);
    puts(bytes[0] > 99 ? "very large" : "large");
    return 0;
  }
  klee_make_symbolic(bytes, 1, "byte");
  bytes[1] = bytes[0];
  if (bytes[0] <= 9) return 0;
  assert(write(file, bytes, 2) == 2);
  assert(fsync(file) == 0);
  assert(link("byte", "name") == 0);
  // A small byte, or a large one without a crash: 2 paths. A crash before the file is made or before it is written, and
  // then a byte of either kind: 2 and 2. A crash before `link`, and then a byte of either size: 2.
  return 0;
}
