//@ native: no
//@ exit: 3
// A name that can be anything is one that exists, or one new one that stands for all others; that is said.
#include <assert.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  char name[2] = {0};
  klee_make_symbolic(name, 1, "name");
  int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (fd >= 0)
    assert(access(name, F_OK) == 0 && unlink(name) == 0);
  return 0;
}
