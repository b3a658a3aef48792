//@ native: no
//@ args: --sym-file A=4
//@ paths: 1
// What is written over symbolic content is concrete again; the rest keeps its values.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  unsigned char before[4], after[4];
  int fd = open("A", O_RDWR);
  assert(pread(fd, before, 4, 0) == 4);
  assert(pwrite(fd, "hi", 2, 1) == 2);
  assert(pread(fd, after, 4, 0) == 4);
  assert(after[1] == 'h' && after[2] == 'i');
  assert(after[0] == before[0] && after[3] == before[3]);
  assert(ftruncate(fd, 0) == 0 && ftruncate(fd, 4) == 0);
  assert(pread(fd, after, 4, 0) == 4);
  assert(after[0] == 0 && after[3] == 0);
  return close(fd);
}
