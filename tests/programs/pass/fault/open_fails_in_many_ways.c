// open succeeds, or fails with one of the errors that programs tell apart. One that fails anyway does not
// fail otherwise.
//@ args: --max-sys-fail 1 --sys-fail open,openat --errno-variety
//@ paths: 6
#include <assert.h>
#include <errno.h>
#include <fcntl.h>

int main(void) {
  assert(open("missing", O_RDONLY) < 0 && errno == ENOENT);
  int fd = open("file", O_WRONLY | O_CREAT, 0600);
  if (fd >= 0) return 0;
  assert(errno == EACCES || errno == EMFILE || errno == ENFILE || errno == ENOSPC || errno == ENOMEM);
  return 0;
}
