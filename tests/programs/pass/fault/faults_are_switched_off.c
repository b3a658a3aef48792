// Nothing happens in a region without faults, and nothing to a file without.
//@ args: --short-reads 1 --max-malloc-fail 1
//@ paths: 2
#include <assert.h>
#include <everett.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void) {
  int ends[2], before = everett_faults(0);
  char text[2];
  assert(before == 1 && everett_faults(0) == 0);
  assert(pipe(ends) == 0 && write(ends[1], "abcdef", 6) == 6);
  assert(read(ends[0], text, 2) == 2 && malloc(1));
  assert(everett_faults(before) == 0);
  assert(ioctl(ends[0], EVERETT_IOC_FAULTS, 0) == 0);
  assert(read(ends[0], text, 2) == 2);
  assert(ioctl(ends[0], EVERETT_IOC_FAULTS, 1) == 0);
  ssize_t count = read(ends[0], text, 2);
  assert(count == 1 || count == 2);
  return 0;
}
