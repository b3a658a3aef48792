//@ native: no
// A symbolic offset reads the byte that is there, zeros in a hole, and nothing after the end.
#include <assert.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  static const char expected[8] = "ab\0\0\0xyz";
  unsigned char b = 9;
  int fd = open("file", O_RDWR | O_CREAT, 0600);
  assert(pwrite(fd, "ab", 2, 0) == 2 && pwrite(fd, "xyz", 3, 5) == 3);
  int at = klee_range(0, 10, "at");
  long r = pread(fd, &b, 1, at);
  if (r == 0)
    assert(at >= 8 && b == 9);
  else
    assert(r == 1 && at < 8 && b == (unsigned char)expected[at]);
  assert(lseek(fd, at, SEEK_SET) == at);
  assert(write(fd, "!", 1) == 1);
  assert(pread(fd, &b, 1, at) == 1 && b == '!');
  return close(fd);
}
