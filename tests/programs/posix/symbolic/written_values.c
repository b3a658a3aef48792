//@ native: no
//@ paths: 1
// Symbolic bytes go through a file, a pipe and a mapping unchanged.
#include <assert.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  unsigned x = (unsigned)klee_int("x"), y = 0, z = 0;
  int fd = open("file", O_RDWR | O_CREAT, 0600), pair[2];
  assert(write(fd, &x, sizeof x) == sizeof x);
  assert(pread(fd, &y, sizeof y, 0) == sizeof y);
  assert(x == y);
  assert(pipe(pair) == 0);
  assert(write(pair[1], &x, sizeof x) == sizeof x && read(pair[0], &z, sizeof z) == sizeof z);
  assert(x == z);
  unsigned *p = mmap(0, sizeof x, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  assert(p != MAP_FAILED && *p == x);
  *p = x + 1;
  assert(pread(fd, &y, sizeof y, 0) == sizeof y && y == x + 1);
  assert(munmap(p, sizeof x) == 0);
  return close(fd);
}
