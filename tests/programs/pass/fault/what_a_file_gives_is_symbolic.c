// What is read is as long as what is there, and may be anything.
//@ paths: 2
#include <assert.h>
#include <everett.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char text[4];
  assert(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3);
  assert(ioctl(ends[0], EVERETT_IOC_SYMBOLIC, 1) == 0);
  assert(read(ends[0], text, 4) == 3);
  if (text[2] == 'x') puts("x");
  return 0;
}
