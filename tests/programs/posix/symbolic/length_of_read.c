//@ native: no
// A symbolic length reads as much as there is, and no more than was asked for.
#include <assert.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  char b[8] = {0};
  int fd = open("file", O_RDWR | O_CREAT, 0600);
  assert(write(fd, "abc", 3) == 3);
  size_t n = (size_t)klee_range(0, 6, "n");
  long r = pread(fd, b, n, 0);
  assert(r >= 0 && r <= 3);
  assert(n >= 3 ? r == 3 : r == (long)n);
  for (long i = 0; i < 3; i++)
    assert(b[i] == (i < r ? "abc"[i] : 0));
  return close(fd);
}
