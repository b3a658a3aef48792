//@ native: no
//@ args: --sym-file A=4
//@ paths: 4
// A symbolic file has the size that was asked for and forks where its bytes are compared.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

volatile int first, last;

int main(void) {
  char b[8];
  int fd = open("A", O_RDONLY);
  assert(fd >= 0);
  assert(read(fd, b, sizeof b) == 4);
  assert(read(fd, b + 4, 1) == 0);
  if (b[0] == 'x')
    first++;
  if (b[3] > 'y')
    last += 2;
  return close(fd);
}
