//@ native: no
//@ paths: 2
// Symbolic flags of open: the file is there, so O_EXCL decides.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  int fd = open("file", O_RDWR | O_CREAT, 0600);
  assert(fd >= 0 && close(fd) == 0);
  int exclusive = klee_range(0, 2, "exclusive");
  fd = open("file", O_RDWR | O_CREAT | O_EXCL * exclusive, 0600);
  if (fd < 0) {
    assert(errno == EEXIST && exclusive);
    return 1;
  }
  assert(!exclusive);
  return close(fd);
}
