//@ native: no
// A symbolic name finds the files that it can name, each with its own content.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  char name[2] = {0}, b = 0;
  int a = open("a", O_RDWR | O_CREAT, 0600), c = open("c", O_RDWR | O_CREAT, 0600);
  assert(write(a, "A", 1) == 1 && write(c, "C", 1) == 1);
  name[0] = (char)klee_range('a', 'd', "letter");
  int fd = open(name, O_RDONLY);
  if (name[0] == 'a') {
    assert(fd >= 0 && read(fd, &b, 1) == 1 && b == 'A');
    return 1;
  }
  if (name[0] == 'c') {
    assert(fd >= 0 && read(fd, &b, 1) == 1 && b == 'C');
    return 2;
  }
  assert(fd >= 0 || errno == ENOENT);
  return 3;
}
