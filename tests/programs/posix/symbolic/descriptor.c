//@ native: no
//@ paths: 3
// A symbolic descriptor forks over the files that it can be, and over being none.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  char b = 0;
  int one = open("one", O_RDWR | O_CREAT, 0600), two = open("two", O_RDWR | O_CREAT, 0600);
  assert(two == one + 1);
  assert(pwrite(one, "1", 1, 0) == 1 && pwrite(two, "2", 1, 0) == 1);
  int fd = klee_range(one, one + 3, "fd");
  long r = read(fd, &b, 1);
  if (r < 0) {
    assert(errno == EBADF && fd == two + 1);
    return 3;
  }
  assert(r == 1 && b == (fd == one ? '1' : '2'));
  return b == '1' ? 1 : 2;
}
