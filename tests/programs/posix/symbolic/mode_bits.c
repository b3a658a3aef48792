//@ native: no
//@ args: --user 1000
//@ paths: 8
// Symbolic permissions of the owner are kept exactly and decide what may be opened.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat st;
  int fd = open("file", O_RDWR | O_CREAT, 0600);
  assert(fd >= 0 && close(fd) == 0);
  unsigned mode = (unsigned)klee_range(0, 8, "mode") << 6;
  assert(chmod("file", mode) == 0);
  assert(stat("file", &st) == 0 && (st.st_mode & 0777) == mode);
  fd = open("file", O_RDONLY);
  if (fd < 0)
    assert(errno == EACCES && !(mode & 0400));
  else
    assert(mode & 0400);
  return 0;
}
